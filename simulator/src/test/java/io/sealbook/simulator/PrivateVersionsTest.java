package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pitfall 21 in whole clusters: the members find two versions, and none waits for the session any more. */
class PrivateVersionsTest {
    private static final int SEEDS = 4;

    @ParameterizedTest
    @CsvSource({"ABC, false", "ABC, true", "AAB, true", "ABA, true", "BAA, true"})
    void shouldWithdrawASessionOfWhichMembersHoldDifferentVersions(String versions, boolean isFair) {
        for (long seed = 0; seed < SEEDS; seed++) {
            long run = seed;
            assertThatCode(() -> PrivateVersions.check(run, versions, isFair)).doesNotThrowAnyException();
        }
    }
}
