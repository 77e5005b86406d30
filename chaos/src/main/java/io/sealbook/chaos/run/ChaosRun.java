package io.sealbook.chaos.run;

import io.sealbook.chaos.audit.HistoryAudit;
import io.sealbook.chaos.audit.ReportCollector;
import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.audit.ServedReports;
import io.sealbook.chaos.fault.FaultDraw;
import io.sealbook.chaos.fault.FaultEvent;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.fault.InjectedFault;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run: load without faults, faults, load without faults, the end of all brokers, the audit. Safety is judged at any
 * time; liveness only when no fault is left, and within minutes. One thread.
 */
final class ChaosRun {
    /** Between two faults: a node that does not come back within it is struck again while it comes back. */
    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(2);

    private static final Duration LIVENESS_LIMIT = Duration.ofMinutes(10);
    private static final long POLL_MS = 50;

    private final RunPlan plan;
    private final PrintStream out;
    private final Findings findings = new Findings();
    private final List<FaultEvent> events = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private final RunDirectory directory;

    ChaosRun(RunPlan plan, PrintStream out) {
        this.plan = plan;
        this.directory = new RunDirectory(plan.directory());
        this.out = out;
    }

    /**
     * Runs to the end and returns what was seen. What was found is kept in the run's directory, also if this throws
     * once the cluster is prepared.
     */
    RunReport run() throws IOException, InterruptedException {
        RunCluster cluster = RunCluster.prepare(plan, directory);
        Evidence evidence = new Evidence(plan.directory());
        try {
            RunReport report = run(cluster);
            evidence.keep(findings);
            return report;
        } catch (InterruptedIOException | InterruptedException e) {
            // By the user, which proves nothing.
            evidence.keep(findings);
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            evidence.keep(findings, e);
            throw e;
        }
    }

    private RunReport run(RunCluster cluster) throws IOException, InterruptedException {
        long faultsBeginNs;
        long faultsEndNs;
        try (cluster) {
            cluster.members().start();
            cluster.members().awaitReady(LIVENESS_LIMIT);
            cluster.brokers().start();
            say("brokers submit");
            awaitLoad(cluster);
            Thread.sleep(plan.calmMs());
            faultsBeginNs = System.nanoTime();
            try {
                injectFaults(cluster);
            } catch (IOException | RuntimeException e) {
                throwIfEnding(e, cluster.struck().members());
                throw e;
            }
            faultsEndNs = System.nanoTime();
            recoverAtEnd(cluster);
            Thread.sleep(plan.calmMs());
            say("brokers end");
            cluster.brokers().end(LIVENESS_LIMIT).forEach(fault -> findings.add(Rule.LIVENESS, fault));
            storeResults(cluster);
        }
        say("audit");
        History history = HistoryAudit.judge(directory, findings);
        return new RunReport(
                plan,
                findings,
                events,
                new LoadSummary(history),
                new LoadTimeline(history.ledgers(), events, faultsBeginNs, faultsEndNs));
    }

    /**
     * Looks for the reason of a failure: the end of this program ends all processes first, and whatever a fault finds
     * then is not what it waits for.
     *
     * @param failure of a fault
     * @param members that it may have struck
     * @throws InterruptedIOException if this program ends
     */
    static void throwIfEnding(Exception failure, List<ManagedProcess> members) throws InterruptedIOException {
        if (members.stream().anyMatch(ManagedProcess::isOver)) {
            InterruptedIOException end = new InterruptedIOException("this program ends");
            end.initCause(failure);
            throw end;
        }
    }

    /** Waits until something was committed: before that no fault finds any load. */
    private void awaitLoad(RunCluster cluster) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LIVENESS_LIMIT.toNanos();
        while (lastDelivered(cluster) == 0) {
            cluster.brokers().check();
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("no block within " + LIVENESS_LIMIT + " although no fault was injected");
            }
            Thread.sleep(POLL_MS);
        }
    }

    private void injectFaults(RunCluster cluster) throws IOException, InterruptedException {
        FaultDraw draw = new FaultDraw(cluster.struck(), plan.kinds(), plan.lies(), plan.seed(), findings);
        long endNs = System.nanoTime() + Duration.ofMillis(plan.faultsMs()).toNanos();
        for (int drawn = 0; drawn < plan.faultsMax() && System.nanoTime() < endNs; drawn++) {
            FaultKind kind = draw.nextKind(drawn);
            InjectedFault fault = draw.next(kind);
            long holdMs = plan.holdMs(kind, draw.nextHoldMs(kind));
            boolean isHasty = draw.nextIsHasty();
            say(String.format(
                    "fault %d: %s of %s for %d ms; block %d",
                    drawn + 1, kind, fault.target(), holdMs, lastDelivered(cluster)));
            long injectedNs = System.nanoTime();
            fault.inject();
            Thread.sleep(holdMs);
            fault.heal();
            long healedNs = System.nanoTime();
            boolean isReady = !isHasty && awaitReady(cluster, RECOVERY_LIMIT);
            events.add(new FaultEvent(
                    kind,
                    fault.target(),
                    injectedNs,
                    healedNs,
                    fault.hasTakenEffect(),
                    isReady ? System.nanoTime() : 0));
            if (!fault.hasTakenEffect()) {
                say("fault " + (drawn + 1) + " found nothing to strike and does not count");
            }
            restartEnded(cluster);
        }
    }

    /** A process that ended by itself is a finding; the run goes on with a new one. */
    private void restartEnded(RunCluster cluster) throws IOException {
        List<ManagedProcess> processes = new ArrayList<>(cluster.struck().members());
        processes.addAll(cluster.brokers().processes());
        for (ManagedProcess process : processes) {
            if (!process.isRunning()) {
                String tail = process.logTail();
                // First, because it is refused if this program is ending, which has ended the process.
                process.start();
                findings.add(Rule.DOCUMENTED_BEHAVIOUR, process.name() + " ended by itself:\n" + tail);
                say(process.name() + " ended by itself and is started again");
            }
        }
    }

    private boolean awaitReady(RunCluster cluster, Duration limit) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadlineNs) {
            if (isReady(cluster)) {
                return true;
            }
            restartEnded(cluster);
            Thread.sleep(POLL_MS);
        }
        return false;
    }

    /**
     * Returns whether no member is missing at the next fault: all members vote in one view, and they and their engines
     * keep up.
     */
    private static boolean isReady(RunCluster cluster) {
        List<NodeStatus> nodes = new ArrayList<>();
        List<EngineState> engines = new ArrayList<>();
        for (int i = 0; i < cluster.members().size(); i++) {
            cluster.members().nodeStatus(i).ifPresent(nodes::add);
            cluster.members().engineState(i).ifPresent(engines::add);
        }
        return nodes.size() == cluster.members().size()
                && engines.size() == nodes.size()
                && RecoveredCluster.isReady(nodes, engines);
    }

    private void recoverAtEnd(RunCluster cluster) throws IOException, InterruptedException {
        say("no fault is left");
        if (!awaitReady(cluster, LIVENESS_LIMIT)) {
            findings.add(
                    Rule.LIVENESS,
                    "not all members are ready " + LIVENESS_LIMIT + " after the last fault: " + states(cluster));
        }
        cluster.brokers().start();
    }

    private long lastAcknowledged() throws IOException {
        return directory.ledgers().values().stream()
                .flatMap(List::stream)
                .flatMap(List::stream)
                .mapToLong(entry -> entry instanceof LedgerEntry.Acknowledgement receipt ? receipt.block() : 0)
                .max()
                .orElse(0);
    }

    /** Waits until all engines have executed the same chain, and stores their states and all reports. */
    private void storeResults(RunCluster cluster) throws IOException, InterruptedException {
        List<EngineState> engines;
        try {
            engines = cluster.members().awaitQuiet(lastAcknowledged(), LIVENESS_LIMIT);
        } catch (IOException e) {
            findings.add(Rule.LIVENESS, e.getMessage());
            return;
        }
        directory.storeEngines(engines);
        say("reading " + engines.get(0).getReports() + " reports");
        Map<Integer, List<ExecutionReport>> reports = ReportCollector.collect(
                cluster.members().directory(),
                cluster.brokers().ids(),
                engines.get(0).getReports(),
                LIVENESS_LIMIT,
                findings);
        directory.storeReports(reports);
        ServedReports.compare(cluster.members().genesis().genesis().getNodesList(), reports, LIVENESS_LIMIT, findings);
    }

    private static long lastDelivered(RunCluster cluster) {
        long last = 0;
        for (int i = 0; i < cluster.members().size(); i++) {
            last = Math.max(
                    last,
                    cluster.members()
                            .nodeStatus(i)
                            .map(NodeStatus::getLastDelivered)
                            .orElse(0L));
        }
        return last;
    }

    private static String states(RunCluster cluster) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cluster.members().size(); i++) {
            Optional<NodeStatus> status = cluster.members().nodeStatus(i);
            text.append("node ")
                    .append(i)
                    .append(' ')
                    .append(status.map(s -> s.getState() + " view " + s.getView() + " block " + s.getLastDelivered())
                            .orElse("does not answer"))
                    .append(cluster.members().engineState(i).isEmpty() ? ", its engine does not answer; " : "; ");
        }
        return text.toString();
    }

    private void say(String fact) {
        out.printf("%7.1f s  %s%n", (System.nanoTime() - startNs) / 1e9, fact);
        out.flush();
    }
}
