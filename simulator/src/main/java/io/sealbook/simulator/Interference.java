package io.sealbook.simulator;

import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.ViewChange;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Guides a run through several view changes on end. In each view another part of the replicas receives the PREPAREs, so
 * that some are prepared and others are not; fewer receive the COMMITs. In half of the views only f replicas prepare,
 * and the next primary does not hear of it: it proposes another block under the number. Certificates of different views
 * and digests for one sequence number come about in this way. Has random numbers of its own.
 */
final class Interference {
    private static final int PRE_PREPARES = 0;
    private static final int PREPARES = 1;
    private static final int COMMITS = 2;
    private static final int NEW_VIEWS = 3;
    private static final int KINDS = 4;
    /**
     * Of so many consecutive numbers one is not prepared in some views, and none after it: replicas prepare in order.
     */
    private static final int STRIDE = 4;

    private final SplittableRandom random;
    /** Of the votes of one kind, which replicas receive them. */
    private final boolean[][] receives;
    /** Replicas whose VIEW-CHANGEs stay away. */
    private final boolean[] isHidden;

    private final int faultyMax;
    private final int viewsMax;
    private long view;
    private int views;
    /** The number that is not prepared, modulo the stride; none is if it is the stride. */
    private long blocked;

    private boolean isOver;

    Interference(Scenario scenario) {
        random = new SplittableRandom(scenario.seed() ^ 0x1e7e4fe4eL);
        int count = scenario.replicaCount() + Simulation.ADDED_NODES_MAX;
        receives = new boolean[KINDS][count];
        isHidden = new boolean[count];
        faultyMax = (scenario.replicaCount() - 1) / 3;
        viewsMax = scenario.guidedViews();
        isOver = viewsMax == 0;
        if (!isOver) {
            draw();
        }
    }

    private void draw() {
        // PRE-PREPAREs, PREPAREs, COMMITs, NEW-VIEWs in tenths.
        int[] shares = {9, 4 + random.nextInt(5), random.nextInt(4), 8};
        for (int kind = 0; kind < KINDS; kind++) {
            for (int replica = 0; replica < receives[kind].length; replica++) {
                receives[kind][replica] = random.nextInt(10) < shares[kind];
            }
        }
        blocked = random.nextBoolean() ? STRIDE : random.nextInt(STRIDE);
        Arrays.fill(isHidden, false);
        boolean isSecret = random.nextBoolean();
        if (isSecret) {
            Arrays.fill(receives[PREPARES], false);
            Arrays.fill(receives[COMMITS], false);
        }
        for (int i = isSecret ? faultyMax : random.nextInt(faultyMax + 1); i > 0; i--) {
            int replica = random.nextInt(isHidden.length - Simulation.ADDED_NODES_MAX);
            isHidden[replica] = true;
            receives[PREPARES][replica] = true;
        }
    }

    /** A correct replica enters a view: another part of the replicas is served there. */
    void onViewEntered(long entered) {
        if (entered <= view) {
            return;
        }
        view = entered;
        views++;
        if (views >= viewsMax) {
            end();
        } else {
            draw();
        }
    }

    void end() {
        isOver = true;
    }

    /**
     * Returns whether a message gets on its way.
     *
     * @param from replica that sends it
     * @param to replica that shall receive it
     * @param message of agreement
     */
    boolean passes(int from, int to, Message message) {
        if (isOver) {
            return true;
        }
        return switch (message) {
            case PrePrepare ignored -> receives[PRE_PREPARES][to];
            case Prepare prepare -> receives[PREPARES][to] && prepare.sequence() % STRIDE != blocked;
            case Commit ignored -> receives[COMMITS][to];
            case NewView ignored -> receives[NEW_VIEWS][to];
            case ViewChange ignored -> !isHidden[from];
            default -> true;
        };
    }
}
