package io.sealbook.chaos.fault;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.liar.Lie;
import io.sealbook.chaos.liar.LieFile;
import io.sealbook.perf.cluster.ManagedProcess;
import java.util.List;
import java.util.Random;

/** Draws faults from a seed: equal seeds draw equal faults in equal order, at times that the machine decides. */
public final class FaultDraw {
    private static final long HOLD_MS_MIN = 300;
    private static final long HOLD_MS_SPREAD = 4_000;
    private static final int LIE_FACTOR = 3;
    /**
     * One member lies in all of a run: it is the faulty one of the proofs. It is the first primary, so that a run's
     * first lies are those of a primary.
     */
    public static final int LIAR = 0;
    /** Of ten kills one strikes a broker, two a whole member. */
    private static final int KILLS = 10;

    private final StruckCluster struck;
    private final List<FaultKind> kinds;
    private final List<Lie> lies;
    private final Random random;
    private final LinkDraw links;
    private final Findings findings;
    private int liesDrawn;

    /**
     * @param struck what faults strike
     * @param kinds those to draw from
     * @param lies that the liar tells, in turn
     * @param seed decides the faults and how long each lasts
     * @param findings takes what a fault finds out by itself
     */
    public FaultDraw(StruckCluster struck, List<FaultKind> kinds, List<Lie> lies, long seed, Findings findings) {
        this.struck = struck;
        this.findings = findings;
        this.kinds = List.copyOf(kinds);
        this.lies = List.copyOf(lies);
        this.random = new Random(seed);
        this.links = new LinkDraw(struck.proxy(), struck.links(), random);
    }

    /** Returns the kinds that this machine can inject. */
    public static List<FaultKind> possible(List<FaultKind> kinds) {
        return kinds.stream()
                .filter(kind -> kind != FaultKind.DISK || FullDisk.isPossible())
                .toList();
    }

    /** Returns the next kind. The first faults go through all kinds in turn, so that a short run has each. */
    public FaultKind nextKind(int drawn) {
        return drawn < kinds.size() ? kinds.get(drawn) : kinds.get(random.nextInt(kinds.size()));
    }

    /** Returns how long the next fault lasts, ms; a liar lies for longer, because the others hold out meanwhile. */
    public long nextHoldMs(FaultKind kind) {
        long holdMs = HOLD_MS_MIN + random.nextLong(HOLD_MS_SPREAD);
        return kind == FaultKind.BYZANTINE ? LIE_FACTOR * holdMs : holdMs;
    }

    /** Returns whether the next fault follows before the cluster has recovered from this one. */
    public boolean nextIsHasty() {
        return random.nextInt(4) == 0;
    }

    /** Returns a fault of a kind. */
    public InjectedFault next(FaultKind kind) {
        return switch (kind) {
            case KILL -> kill();
            case PAUSE -> new PausedProcess(oneOf(struck.member(nextNode())));
            case JOINT -> new KilledProcesses("all processes", struck.all());
            case DISK -> fullDisk();
            case WIPE -> lostReplicaLog();
            case FLIP -> flippedBit();
            case ENGINE -> wrongEngine();
            case BYZANTINE -> lyingMember();
            case DELAY, LOSS, PARTITION, FLAP -> links.next(kind);
        };
    }

    private InjectedFault kill() {
        return switch (random.nextInt(KILLS)) {
            case 0 -> KilledProcesses.of(List.of(oneOf(struck.brokers().processes())));
            case 1, 2 -> KilledProcesses.of(struck.member(nextNode()));
            default -> KilledProcesses.of(List.of(oneOf(struck.member(nextNode()))));
        };
    }

    private InjectedFault fullDisk() {
        int node = nextNode();
        ManagedProcess process = oneOf(struck.member(node));
        return new FullDisk(process, struck.writings(node, process), FullDisk.END_LIMIT, findings);
    }

    /** An engine in a separate process reads the archive: it is lost only where the engine is down, too. */
    private InjectedFault lostReplicaLog() {
        int node = nextNode();
        boolean hasEngineBeside = struck.cluster().engine(node).isPresent();
        List<String> lost = !hasEngineBeside && random.nextBoolean()
                ? List.of("replica-log", "archive", "queue")
                : List.of("replica-log");
        return new LostReplicaLog(
                struck.cluster().node(node),
                lost.stream().map(name -> struck.directory(node).resolve(name)).toList(),
                findings);
    }

    private InjectedFault flippedBit() {
        int node = nextNode();
        return new FlippedBit(struck.cluster(), node, struck.member(node), struck.archiveTool(), random, findings);
    }

    private InjectedFault wrongEngine() {
        int node = nextNode();
        return new WrongEngine(node, struck.directory(node), struck.member(node), findings);
    }

    private InjectedFault lyingMember() {
        Lie lie = lies.get(liesDrawn++ % lies.size());
        return new LyingMember(struck.cluster().node(LIAR), new LieFile(struck.directory(LIAR)), lie);
    }

    private int nextNode() {
        return random.nextInt(struck.cluster().size());
    }

    private ManagedProcess oneOf(List<ManagedProcess> processes) {
        return processes.get(random.nextInt(processes.size()));
    }
}
