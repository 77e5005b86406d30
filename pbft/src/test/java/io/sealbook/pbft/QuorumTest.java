package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pitfall 17: n need not be 3f+1, and then 2f+1 is not a quorum. */
class QuorumTest {

    @ParameterizedTest
    @CsvSource({"4,1,3", "5,1,4", "6,1,4", "7,2,5", "8,2,6", "9,2,6", "10,3,7"})
    void shouldTolerateAThirdWithQuorumsThatMeetInACorrectReplica(int replicaCount, int faultyMax, int size) {
        Quorum quorum = Quorum.of(replicaCount);

        assertThat(quorum.faultyMax()).isEqualTo(faultyMax);
        assertThat(quorum.size()).isEqualTo(size);
        assertThat(2 * quorum.size() - replicaCount).isGreaterThanOrEqualTo(quorum.oneCorrect());
        assertThat(replicaCount - faultyMax).isGreaterThanOrEqualTo(quorum.size());
    }

    @Test
    void shouldRefuseFewerThanFour() {
        assertThatThrownBy(() -> Quorum.of(3)).isInstanceOf(IllegalArgumentException.class);
    }
}
