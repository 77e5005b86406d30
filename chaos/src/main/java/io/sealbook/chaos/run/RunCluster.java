package io.sealbook.chaos.run;

import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.broker.BrokerPrograms;
import io.sealbook.chaos.broker.BrokerTask;
import io.sealbook.chaos.fault.StruckCluster;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.proxy.LinkTable;
import io.sealbook.perf.proxy.MemberProxy;
import io.sealbook.perf.proxy.ProxiedMembers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The processes of a run. One thread drives them. */
final class RunCluster implements AutoCloseable {
    private static final int BOOKS = 3;
    private static final List<String> SCHEMES = List.of("sm2", "secp256k1");

    private final LocalCluster cluster;
    private final LinkTable links;
    private final MemberProxy proxy;
    private final BrokerPrograms brokers;
    private final Path archiveTool;

    private RunCluster(RunPlan plan, RunDirectory directory, LocalCluster cluster) throws IOException {
        this.cluster = cluster;
        this.archiveTool = LocalCluster.jar(plan.home(), "block-archive");
        this.links = new LinkTable(plan.nodes());
        ProxiedMembers.move(cluster.directory(), plan.nodes());
        this.brokers = new BrokerPrograms(
                IntStream.rangeClosed(1, plan.brokers())
                        .mapToObj(id -> new BrokerTask(
                                cluster.directory(), directory.broker(id), id, plan.seed(), BOOKS, plan.pauseMs()))
                        .toList(),
                plan.directory());
        this.proxy = MemberProxy.start(cluster.genesis().genesis(), links);
    }

    /**
     * Prepares keys, genesis file and programs; nothing runs yet.
     *
     * @param plan of the run
     * @param directory of the run, emptied first
     * @throws IOException if the directory has the evidence of an earlier run, or cannot be written
     */
    static RunCluster prepare(RunPlan plan, RunDirectory directory) throws IOException, InterruptedException {
        if (new Evidence(plan.directory()).exists()) {
            throw new IOException(plan.directory() + " has the evidence of an earlier run; move it away first");
        }
        WorkDirectory.empty(plan.directory());
        LocalCluster cluster = LocalCluster.prepare(ClusterPlan.of(
                        plan.home(),
                        directory.cluster(),
                        LocalCluster.freeBasePort(plan.nodes()),
                        plan.nodes(),
                        IntStream.range(0, plan.brokers())
                                .mapToObj(i -> SCHEMES.get(i % SCHEMES.size()))
                                .toList(),
                        IntStream.rangeClosed(1, BOOKS)
                                .mapToObj(id -> id + ":CHAOS" + id + ":2:9000:11000:100000")
                                .toList())
                .withShapes(plan::shape)
                .withTestnetOptions(List.of("--blocks-per-segment", "64"))
                .withEngineOptions(List.of(
                        "--sealbook.engine.snapshots.every-seconds=10", "--sealbook.engine.database.enabled=false")));
        try {
            return new RunCluster(plan, directory, cluster);
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    LocalCluster members() {
        return cluster;
    }

    BrokerPrograms brokers() {
        return brokers;
    }

    StruckCluster struck() {
        return new StruckCluster(cluster, brokers, proxy, links, archiveTool);
    }

    @Override
    public void close() {
        brokers.close();
        cluster.close();
        proxy.close();
    }
}
