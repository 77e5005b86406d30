package io.sealbook.chaos.fault;

import io.sealbook.chaos.broker.BrokerPrograms;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.perf.proxy.LinkTable;
import io.sealbook.perf.proxy.MemberProxy;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.NodeStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What faults can strike.
 *
 * @param cluster nodes and engines
 * @param brokers their programs
 * @param proxy in front of the members
 * @param links of the proxy
 * @param archiveTool jar of block-archive
 */
public record StruckCluster(
        LocalCluster cluster, BrokerPrograms brokers, MemberProxy proxy, LinkTable links, Path archiveTool) {
    /** One that ends and the next one. */
    private static final int PAYLOAD_FILES = 2;

    /** Returns the directory of a node. */
    Path directory(int nodeId) {
        return cluster.directory().resolve("node" + nodeId);
    }

    /** Returns the processes of a member: the node and, if it has one beside it, its engine. */
    List<ManagedProcess> member(int nodeId) {
        List<ManagedProcess> processes = new ArrayList<>(List.of(cluster.node(nodeId)));
        cluster.engine(nodeId).ifPresent(processes::add);
        return processes;
    }

    /** Returns what a process of a member writes: a node its payload log, an engine reports in a file per broker. */
    FullDisk.Writings writings(int nodeId, ManagedProcess process) {
        boolean isEngine = cluster.engine(nodeId).filter(process::equals).isPresent();
        return new FullDisk.Writings(
                directory(nodeId),
                PAYLOAD_FILES + brokers.ids().size(),
                () -> isEngine
                        ? cluster.engineState(nodeId).map(EngineState::getOrders)
                        : cluster.nodeStatus(nodeId).map(NodeStatus::getCommittedOrders));
    }

    /** Returns all processes of the members. */
    public List<ManagedProcess> members() {
        List<ManagedProcess> processes = new ArrayList<>();
        for (int i = 0; i < cluster.size(); i++) {
            processes.addAll(member(i));
        }
        return processes;
    }

    /** Returns all processes, brokers included. */
    List<ManagedProcess> all() {
        List<ManagedProcess> processes = new ArrayList<>(members());
        processes.addAll(brokers.processes());
        return processes;
    }
}
