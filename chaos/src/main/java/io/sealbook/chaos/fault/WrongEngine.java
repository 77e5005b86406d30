package io.sealbook.chaos.fault;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Wrong memory of an engine: while its member is down, each order in its snapshots loses a lot, and the checksums are
 * those of the changed bytes. The node must isolate itself and have the engine rebuilt, without any operator
 * ({@code docs/OPERATING.md}, "An engine is wrong").
 */
final class WrongEngine implements InjectedFault {
    private static final Duration REBUILD_LIMIT = Duration.ofMinutes(5);
    private static final long STOP_LIMIT_MS = 60_000;
    private static final long POLL_MS = 50;
    private static final String SNAPSHOT = ".snapshot";
    private static final String REBUILT = "rebuilt: the result of block";
    private static final String VOTES_AGAIN = "the isolation has ended";

    private final int nodeId;
    private final Path snapshots;
    private final List<ManagedProcess> member;
    private final Findings findings;
    private boolean isChanged;

    /**
     * @param nodeId of the member
     * @param directory of the member
     * @param member its processes, the node first
     * @param findings takes an engine that is not rebuilt
     */
    WrongEngine(int nodeId, Path directory, List<ManagedProcess> member, Findings findings) {
        this.nodeId = nodeId;
        this.snapshots = directory.resolve("engine").resolve("snapshots");
        this.member = member;
        this.findings = findings;
    }

    @Override
    public String target() {
        return "the orders of engine " + nodeId;
    }

    /** The engine stops in an orderly way, because its last snapshot is then of the last block that it executed. */
    @Override
    public void inject() throws IOException, InterruptedException {
        ManagedProcess node = member.get(0);
        ManagedProcess engine = member.get(member.size() - 1);
        node.stop(STOP_LIMIT_MS);
        engine.stop(STOP_LIMIT_MS);
        int changed = changeSnapshots();
        long nodeLogged = Files.size(node.logFile());
        long engineLogged = Files.size(engine.logFile());
        for (ManagedProcess process : member) {
            process.start();
        }
        if (changed == 0) {
            return;
        }
        isChanged = true;
        await(engine, engineLogged, REBUILT);
        await(node, nodeLogged, VOTES_AGAIN);
    }

    private int changeSnapshots() throws IOException {
        int changed = 0;
        try (Stream<Path> files = Files.list(snapshots)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(SNAPSHOT)).toList()) {
                changed += SnapshotBytes.shrinkOrders(file);
            }
        }
        return changed;
    }

    private void await(ManagedProcess process, long logged, String expected) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + REBUILD_LIMIT.toNanos();
        String said = "";
        while (!said.contains(expected) && process.isRunning() && System.nanoTime() < deadlineNs) {
            Thread.sleep(POLL_MS);
            said = Files.readString(process.logFile()).substring((int) logged);
        }
        if (!said.contains(expected)) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    process.name() + " has a wrong engine and did not say '" + expected + "':\n" + said);
        }
    }

    /** The member runs and is right again. */
    @Override
    public void heal() {}

    @Override
    public boolean hasTakenEffect() {
        return isChanged;
    }
}
