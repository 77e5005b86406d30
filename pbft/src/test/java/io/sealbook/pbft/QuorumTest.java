package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfall 17: n need not be 3f+1, and then 2f+1 is not a quorum. */
class QuorumTest {

    @ParameterizedTest
    @CsvSource({"4,1,3", "5,1,4", "6,1,4", "7,2,5", "8,2,6", "9,2,6", "10,3,7", "11,3,8", "12,3,8", "13,4,9"})
    void shouldTolerateAThirdWithQuorumsThatMeetInACorrectReplica(int replicaCount, int faultyMax, int size) {
        Quorum quorum = Quorum.of(replicaCount);

        assertThat(quorum.faultyMax()).isEqualTo(faultyMax);
        assertThat(quorum.size()).isEqualTo(size);
        assertThat(2 * quorum.size() - replicaCount).isGreaterThanOrEqualTo(quorum.oneCorrect());
        assertThat(replicaCount - faultyMax).isGreaterThanOrEqualTo(quorum.size());
    }

    /** f = floor((n-1)/3) and Q = ceil((n+f+1)/2) for every n, by what they are for instead of by their formulas. */
    @ParameterizedTest
    @MethodSource("replicaCounts")
    void shouldBeTheSmallestQuorumThatMeetsInACorrectReplica(int replicaCount) {
        Quorum quorum = Quorum.of(replicaCount);
        int faultyMax = quorum.faultyMax();

        assertThat(3 * faultyMax + 1).as("n replicas bear f faults").isLessThanOrEqualTo(replicaCount);
        assertThat(3 * (faultyMax + 1) + 1).as("and not f + 1").isGreaterThan(replicaCount);
        assertThat(2 * quorum.size() - replicaCount)
                .as("two quorums meet in a correct replica")
                .isGreaterThan(faultyMax);
        assertThat(2 * (quorum.size() - 1) - replicaCount)
                .as("smaller sets need not")
                .isLessThanOrEqualTo(faultyMax);
        assertThat(replicaCount - faultyMax)
                .as("the correct replicas are a quorum")
                .isGreaterThanOrEqualTo(quorum.size());
        assertThat(quorum.oneCorrect()).isEqualTo(faultyMax + 1);
    }

    static IntStream replicaCounts() {
        return IntStream.rangeClosed(4, ReplicaConfig.REPLICA_COUNT_MAX);
    }

    /** Every two quorums of up to seven replicas, and every set of faulty ones: a correct replica is in both. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7})
    void shouldMeetInACorrectReplicaWhoeverIsFaulty(int replicaCount) {
        Quorum quorum = Quorum.of(replicaCount);
        List<Integer> quorums = setsOf(replicaCount, quorum.size());

        for (int faulty : setsOf(replicaCount, quorum.faultyMax())) {
            for (int first : quorums) {
                for (int second : quorums) {
                    assertThat(first & second & ~faulty)
                            .as("quorums %x and %x, faulty %x", first, second, faulty)
                            .isNotZero();
                }
            }
        }
    }

    private static List<Integer> setsOf(int replicaCount, int size) {
        return IntStream.range(0, 1 << replicaCount)
                .filter(set -> Integer.bitCount(set) == size)
                .boxed()
                .toList();
    }

    @Test
    void shouldRefuseFewerThanFourAndMoreThanTheBitsOfALong() {
        assertThatThrownBy(() -> Quorum.of(3)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Quorum.of(64).faultyMax()).isEqualTo(21);
        assertThatThrownBy(() -> Quorum.of(65)).isInstanceOf(IllegalArgumentException.class);
    }
}
