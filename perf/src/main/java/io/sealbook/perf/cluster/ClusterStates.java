package io.sealbook.perf.cluster;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Queries the state of the nodes and engines of a local cluster by their ports. Any thread. */
final class ClusterStates implements AutoCloseable {
    private static final long STATUS_TIMEOUT_MS = 2_000;

    private final boolean isExperiment;
    private final List<ManagedChannel> gatewayChannels = new ArrayList<>();
    private final List<ManagedChannel> engineChannels = new ArrayList<>();

    /**
     * Connects as soon as something is queried.
     *
     * @param genesis of the cluster
     * @param credentials to connect with
     * @param isExperiment whether engines are those of an experiment, which have no port
     */
    ClusterStates(GenesisFile genesis, ChannelCredentials credentials, boolean isExperiment) {
        this.isExperiment = isExperiment;
        for (Node node : genesis.genesis().getNodesList()) {
            gatewayChannels.add(channel(node.getHost(), node.getGatewayPort(), credentials));
            if (!isExperiment) {
                engineChannels.add(channel(node.getHost(), node.getEnginePort(), credentials));
            }
        }
    }

    /** Returns the status of a node, or nothing if it does not answer. */
    Optional<NodeStatus> nodeStatus(int nodeId) {
        try {
            return Optional.of(OrderGatewayGrpc.newBlockingStub(gatewayChannels.get(nodeId))
                    .withDeadlineAfter(STATUS_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance()));
        } catch (StatusRuntimeException e) {
            // A process that starts is queried again soon, not after gRPC's growing delay.
            gatewayChannels.get(nodeId).resetConnectBackoff();
            return Optional.empty();
        }
    }

    /**
     * Returns the state of an engine, or nothing if it does not answer. The state of one of an experiment is what the
     * node knows: the last block, the result digest, and the orders of the blocks that the node has committed.
     */
    Optional<EngineState> engineState(int nodeId) {
        if (isExperiment) {
            return nodeStatus(nodeId)
                    .map(status -> EngineState.newBuilder()
                            .setLastExecuted(status.getLastExecuted())
                            .setResultDigest(status.getResultDigest())
                            .setOrders(status.getCommittedOrders())
                            .build());
        }
        try {
            return Optional.of(EngineStatusGrpc.newBlockingStub(engineChannels.get(nodeId))
                    .withDeadlineAfter(STATUS_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .getEngineStatus(GetEngineStatusRequest.getDefaultInstance()));
        } catch (StatusRuntimeException e) {
            engineChannels.get(nodeId).resetConnectBackoff();
            return Optional.empty();
        }
    }

    /**
     * Waits until all nodes have delivered the same last block and all engines have executed it.
     *
     * @param blockMin the last block must be at least this one
     * @param timeout longest wait
     * @return the state of each engine, by node
     * @throws IOException if the time passed first; the message has the state of each
     */
    List<EngineState> awaitQuiet(long blockMin, Duration timeout) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (true) {
            List<Optional<NodeStatus>> nodeStates = new ArrayList<>();
            List<Optional<EngineState>> engineStates = new ArrayList<>();
            for (int i = 0; i < gatewayChannels.size(); i++) {
                nodeStates.add(nodeStatus(i));
                engineStates.add(engineState(i));
            }
            if (isQuiet(nodeStates, engineStates, blockMin)) {
                return engineStates.stream().map(Optional::orElseThrow).toList();
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("not quiet after " + timeout.toSeconds() + " s, block " + blockMin + " awaited: "
                        + describe(nodeStates, engineStates));
            }
            Thread.sleep(100);
        }
    }

    private static boolean isQuiet(
            List<Optional<NodeStatus>> nodeStates, List<Optional<EngineState>> engineStates, long blockMin) {
        if (nodeStates.contains(Optional.<NodeStatus>empty()) || engineStates.contains(Optional.<EngineState>empty())) {
            return false;
        }
        long last = nodeStates.get(0).orElseThrow().getLastDelivered();
        return last >= blockMin
                && nodeStates.stream()
                        .allMatch(s -> s.orElseThrow().getLastDelivered() == last
                                && s.orElseThrow().getPendingBatches() == 0)
                && engineStates.stream().allMatch(s -> s.orElseThrow().getLastExecuted() == last);
    }

    private static String describe(List<Optional<NodeStatus>> nodeStates, List<Optional<EngineState>> engineStates) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodeStates.size(); i++) {
            text.append(i == 0 ? "" : "; ").append("node ").append(i).append(' ');
            nodeStates
                    .get(i)
                    .ifPresentOrElse(
                            s -> text.append(s.getState())
                                    .append(" view ")
                                    .append(s.getView())
                                    .append(" block ")
                                    .append(s.getLastDelivered())
                                    .append(" watermarks ")
                                    .append(s.getLowWatermark())
                                    .append("..")
                                    .append(s.getHighWatermark())
                                    .append(" pending ")
                                    .append(s.getPendingBatches()),
                            () -> text.append("silent"));
            engineStates
                    .get(i)
                    .ifPresentOrElse(
                            s -> text.append(", engine at ").append(s.getLastExecuted()),
                            () -> text.append(", engine silent"));
        }
        return text.toString();
    }

    private static ManagedChannel channel(String host, int port, ChannelCredentials credentials) {
        return Grpc.newChannelBuilderForAddress(host, port, credentials).build();
    }

    @Override
    public void close() {
        gatewayChannels.forEach(ManagedChannel::shutdownNow);
        engineChannels.forEach(ManagedChannel::shutdownNow);
    }
}
