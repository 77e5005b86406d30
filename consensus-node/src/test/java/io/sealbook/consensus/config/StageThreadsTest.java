package io.sealbook.consensus.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.StageThreads.Circumstances;
import io.sealbook.crypto.BatchPreference.Callers;
import io.sealbook.vocabulary.Durability;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageThreadsTest {
    @ParameterizedTest
    @CsvSource({
        "true,  PROCESS, ONE_PER_CORE, 1, true",
        "true,  PROCESS, ONE_PER_CORE, 4, true",
        "true,  PROCESS, ONE_PER_CORE, 5, false",
        "true,  DISK,    ONE_PER_CORE, 2, false",
        "true,  PROCESS, ONE,          2, false",
        "false, PROCESS, ONE_PER_CORE, 2, false"
    })
    void shouldShareAThreadInAReplicaWithFewCoresThatWaitsForNothing(
            boolean isReplica, Durability durability, Callers callers, int cores, boolean areShared) {
        Circumstances at = new Circumstances(isReplica, durability, callers, cores);

        assertThat(StageThreads.AUTO.areShared(at)).isEqualTo(areShared);
        assertThat(StageThreads.SHARED.areShared(at)).isTrue();
        assertThat(StageThreads.OWN.areShared(at)).isFalse();
    }
}
