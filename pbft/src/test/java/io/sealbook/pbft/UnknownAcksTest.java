package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pitfall 15: acknowledgements of batches that nobody else has take room, each sender's within its share. */
class UnknownAcksTest {
    private final UnknownAcks acks = new UnknownAcks(4, 2);

    @Test
    void shouldRefuseMoreThanTheShareOfASender() {
        assertThat(acks.add(TestCluster.batchId(1), 2, 0)).isTrue();
        assertThat(acks.add(TestCluster.batchId(2), 2, 0)).isTrue();

        assertThat(acks.add(TestCluster.batchId(3), 2, 0)).isFalse();
        assertThat(acks.add(TestCluster.batchId(3), 3, 0))
                .as("the share of another")
                .isTrue();
        assertThat(acks.add(TestCluster.batchId(3), 2, 0))
                .as("another holder of a known batch costs nothing")
                .isTrue();
        assertThat(acks.count()).isEqualTo(3);
    }

    @Test
    void shouldReturnTheHoldersOnceAndFreeTheShare() {
        acks.add(TestCluster.batchId(1), 2, 0);
        acks.add(TestCluster.batchId(2), 2, 0);
        acks.add(TestCluster.batchId(1), 0, 0);

        assertThat(acks.remove(TestCluster.batchId(1))).isEqualTo(0b101);
        assertThat(acks.remove(TestCluster.batchId(1))).isZero();
        assertThat(acks.add(TestCluster.batchId(3), 2, 0)).isTrue();
    }

    @Test
    void shouldNameWhatASenderHoldsFromThePeriodAfterItsAcknowledgement() {
        acks.add(TestCluster.batchId(1), 2, 5);
        acks.add(TestCluster.batchId(2), 3, 5);

        assertThat(acks.overdue(2, 5, 10)).isEmpty();
        assertThat(acks.overdue(2, 6, 10)).containsExactly(TestCluster.batchId(1));
        assertThat(acks.overdue(3, 6, 10)).containsExactly(TestCluster.batchId(2));
        assertThat(acks.overdue(1, 6, 10)).isEmpty();
    }

    @Test
    void shouldNameNoMoreThanAskedFor() {
        acks.add(TestCluster.batchId(1), 2, 0);
        acks.add(TestCluster.batchId(2), 2, 0);

        assertThat(acks.overdue(2, 1, 1)).containsExactly(TestCluster.batchId(1));
    }

    /** A batch that nobody can send is given up, and its sender may name others. */
    @Test
    void shouldForgetAfter64Periods() {
        acks.add(TestCluster.batchId(1), 2, 0);
        acks.add(TestCluster.batchId(2), 2, 1);

        assertThat(acks.overdue(2, 64, 10)).containsExactly(TestCluster.batchId(1), TestCluster.batchId(2));
        assertThat(acks.overdue(2, 65, 10)).containsExactly(TestCluster.batchId(2));
        assertThat(acks.count()).isEqualTo(1);
        assertThat(acks.add(TestCluster.batchId(3), 2, 65)).isTrue();
    }
}
