package io.sealbook.pbft;

import io.sealbook.vocabulary.SessionKey;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges whether the primary uses the pipeline (pitfall 4). From the delivery of a block to the next proposal nobody
 * acts but the primary; from there on a quorum does. So a machine or a network that is slow for all makes both parts
 * longer, and a primary that waits on purpose the first one only.
 *
 * <p>A batch is <em>due</em> when so many replicas beside the primary hold it that, without the f liars among them,
 * enough are left for the primary to know of it, to fetch it and to propose it. One sample is taken in each heartbeat
 * period in which this process looked. It is <em>wasted</em> if a batch has been due for longer than the grace, and
 *
 * <ul>
 *   <li>nothing has been in flight for longer than the grace, or
 *   <li>the last proposal, made after that, held less than a quarter of what was due so long, or of a full block.
 * </ul>
 *
 * <p>A primary that wastes more than half of the samples of half of the cap is suspected. The grace is an eighth of the
 * REQUEST timeout, so it follows what a quorum needs. It doubles when f+1 primaries in a row were found idle, because
 * one of them was correct, and halves again in calm times: primaries are not changed for ever where all of them look
 * idle. Periods in which this process did not look, or in which the primary cannot be blamed, are not wasted.
 */
final class PipelineUse {
    private static final int GRACE_DIVISOR = 8;
    /** What a primary needs to fetch what is withheld from it: it waits for the delay, then for an answer. */
    private static final int GRACE_FETCH_DELAYS = 4;

    private static final int SKIMMING_DIVISOR = 4;
    /** Windows in a row without a wasted majority after which the grace halves: 10 minutes of 4 s. */
    static final int CALM_WINDOWS = 150;
    /** The same after which those found idle before are forgotten: a minute. */
    static final int FORGETTING_WINDOWS = 15;

    private final Core core;
    private final int windowSamples;
    private final int holdersMin;
    /** Of what was due when all that was due before had been proposed: by session, the last number. */
    private final TreeMap<Long, Long> due = new TreeMap<>();
    /** Samples since then. */
    private int dueSamples;
    /** Samples since something was proposed or in flight. */
    private int idleSamples;

    private boolean isSkimming;
    private long sampledCycle = -1;
    private int sampleCount;
    private int wastedCount;
    /** The primary proposed something in this window. */
    private boolean hasProposed;
    /** Primaries found idle, without a calm minute between them. */
    private int idleInARow;

    private long idleView = -1;
    private int calmWindows;
    private int doublings;

    PipelineUse(Core core) {
        this.core = core;
        long windowNs = core.config.viewChangeTimeoutMaxNs() / 2;
        windowSamples = (int) Math.max(1, windowNs / core.config.heartbeatNs());
        int faultyMax = core.quorum.faultyMax();
        // The primary is one of those that must hold a batch before it is proposed. At least f+1 correct ones must
        // acknowledge it: then the primary surely fetches it.
        int readyMin = core.config.hasFairOrder() ? core.quorum.size() : core.quorum.oneCorrect();
        int enough = faultyMax + Math.max(readyMin - 1, core.quorum.oneCorrect());
        holdersMin = Math.min(enough, core.config.replicaCount() - 1);
    }

    /** The primary of another view is not blamed for its predecessor. */
    void enterView() {
        clear();
        beginWindow();
    }

    private void beginWindow() {
        sampleCount = 0;
        wastedCount = 0;
        hasProposed = false;
    }

    private void clear() {
        due.clear();
        dueSamples = 0;
        idleSamples = 0;
        isSkimming = false;
    }

    /**
     * A proposal of the primary is accepted.
     *
     * @param batchCount batches that it adds; before they count as proposed
     */
    void onProposal(long batchCount) {
        long dueCount = 0;
        for (Map.Entry<Long, Long> session : due.entrySet()) {
            long proposed = core.batches.proposedThrough(session.getKey());
            dueCount += Math.max(0, session.getValue() - proposed);
        }
        long couldHold = Math.min(dueCount, core.config.blockMaxBatches());
        idleSamples = 0;
        hasProposed = true;
        isSkimming = dueSamples > graceSamples() && SKIMMING_DIVISOR * batchCount < couldHold;
    }

    /**
     * A heartbeat period is over.
     *
     * @return whether the primary is to be suspected for what it wasted
     */
    boolean isPrimaryIdle() {
        boolean isWasted = looks() && isWasted();
        sampleCount++;
        wastedCount += isWasted ? 1 : 0;
        if (sampleCount < windowSamples) {
            return false;
        }
        boolean isIdle = 2 * wastedCount > sampleCount;
        learn(isIdle);
        beginWindow();
        return isIdle;
    }

    /** Periods that pile up while this process stands still are seen at one instant, and are one sample. */
    private boolean looks() {
        boolean isFirst = core.timers.cycle() != sampledCycle;
        sampledCycle = core.timers.cycle();
        return isFirst;
    }

    private boolean isWasted() {
        if (core.isPrimary()
                || !core.isViewActive()
                || !core.supervision.isBlamable()
                || core.lastDelivered() >= core.proposableThrough()) {
            clear();
            return false;
        }
        idleSamples = core.isInFlight() ? 0 : idleSamples + 1;
        followDue();
        int grace = graceSamples();
        return dueSamples > grace && (isSkimming || idleSamples > grace);
    }

    private void followDue() {
        for (Iterator<Map.Entry<Long, Long>> i = due.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Long> session = i.next();
            boolean isProposed = core.batches.proposedThrough(session.getKey()) >= session.getValue();
            if (isProposed || dueThrough(core.batches.line(session.getKey())) < session.getValue()) {
                i.remove();
            }
        }
        dueSamples++;
        if (due.isEmpty()) {
            dueSamples = 0;
            isSkimming = false;
            for (SessionLine line : core.batches.lines()) {
                long through = dueThrough(line);
                if (through > 0) {
                    due.put(line.sessionKey(), through);
                }
            }
        }
    }

    /** Returns the last number of a session that is due, 0 if none is. */
    private long dueThrough(SessionLine line) {
        // Administration ends epochs: its pace is not the market's.
        if (line.heldCount() == 0 || line.isWithdrawn() || SessionKey.isAdministration(line.sessionKey())) {
            return 0;
        }
        long through = line.heldBeside(core.primary(), holdersMin);
        return Long.compareUnsigned(through, core.batches.proposedThrough(line.sessionKey())) > 0 ? through : 0;
    }

    /** Returns the number of samples that a primary may let pass. */
    int graceSamples() {
        long graceNs =
                Math.max(core.requestTimeoutNs() / GRACE_DIVISOR, GRACE_FETCH_DELAYS * core.config.fetchDelayNs());
        long samples = Math.ceilDiv(graceNs, core.config.heartbeatNs());
        return (int) Math.min(samples << doublings, windowSamples);
    }

    private void learn(boolean isIdle) {
        if (!isIdle) {
            if (hasProposed) {
                onCalm();
            }
            return;
        }
        calmWindows = 0;
        if (idleView != core.view()) {
            idleView = core.view();
            idleInARow++;
            if (idleInARow % core.quorum.oneCorrect() == 0 && graceSamples() < windowSamples) {
                doublings++;
            }
        }
    }

    /** A primary was judged that had something to do, and did it. */
    private void onCalm() {
        calmWindows++;
        if (calmWindows == FORGETTING_WINDOWS) {
            idleInARow = 0;
        }
        if (calmWindows >= CALM_WINDOWS) {
            calmWindows = 0;
            doublings = Math.max(0, doublings - 1);
        }
    }

    int entryCount() {
        return due.size();
    }
}
