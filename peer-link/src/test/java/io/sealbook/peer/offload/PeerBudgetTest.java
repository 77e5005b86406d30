package io.sealbook.peer.offload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerBudgetTest {
    private static final long MS = 1_000_000;
    private static final int PEER = 1;

    @Test
    void shouldLeaveHalfOfTheTimeToOthersWhenAllPeersThatMayBeFaultyFlood() {
        for (int[] size : new int[][] {{4, 1}, {7, 2}, {10, 3}, {13, 4}}) {
            PeerBudget budget = new PeerBudget(size[0]);
            long[] restsUntil = new long[size[1]];
            long spent = 0;
            long now = 0;
            // Each flooding peer is checked whenever it is read; the thread does nothing else.
            for (long end = 600_000 * MS; now < end; ) {
                boolean isIdle = true;
                for (int peer = 0; peer < size[1]; peer++) {
                    if (now >= restsUntil[peer]) {
                        isIdle = false;
                        now += 5 * MS;
                        spent += 5 * MS;
                        restsUntil[peer] = now + budget.spend(peer, 5 * MS, now);
                    }
                }
                now += isIdle ? MS : 0;
            }

            assertThat((double) spent / now).as("of %d nodes", size[0]).isBetween(0.4, 0.51);
        }
    }

    @Test
    void shouldLetAPeerSpendWhatItSavedAtOnce() {
        PeerBudget budget = new PeerBudget(4);

        assertThat(budget.spend(PEER, 990 * MS, 0)).isZero();
        assertThat(budget.spend(PEER, 20 * MS, 10 * MS)).isEqualTo(10 * MS);
        assertThat(budget.spend(2, 20 * MS, 10 * MS)).isZero();
    }

    @Test
    void shouldNotKeepAPeerAwayForLong() {
        PeerBudget budget = new PeerBudget(4);

        assertThat(budget.spend(PEER, 60_000 * MS, 0)).isEqualTo(PeerBudget.REST_MAX_NS);
        assertThat(budget.spend(PEER, 0, PeerBudget.REST_MAX_NS)).isZero();
    }

    @Test
    void shouldSaveNoMoreThanASecond() {
        PeerBudget budget = new PeerBudget(4);

        budget.spend(PEER, 0, 3_600_000 * MS);

        assertThat(budget.spend(PEER, 1_001 * MS, 3_600_000 * MS)).isEqualTo(2 * MS);
    }
}
