package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionAgeTest {
    private final SessionAge age = new SessionAge(10);

    @Test
    void shouldCountFromThePeriodInWhichTheOldestBecameReady() {
        age.onPeriod(1, 0, 0);
        assertThat(age.of(1, 0)).isZero();

        age.onPeriod(2, 0, 3);
        age.onPeriod(3, 0, 8);
        assertThat(age.of(5, 0)).isEqualTo(3);

        age.onPeriod(4, 3, 8);
        assertThat(age.of(5, 0)).as("number 4 became ready in period 3").isEqualTo(2);
        age.onPeriod(5, 8, 8);
        assertThat(age.of(5, 0)).isZero();
    }

    /** A primary that delivers one batch now and then does not make the rest younger. */
    @Test
    void shouldNotBeRenewedByADrip() {
        age.onPeriod(1, 0, 100);
        for (int period = 2; period <= 9; period++) {
            age.onPeriod(period, period, 100 + period);
        }
        assertThat(age.of(9, 0)).isEqualTo(8);
    }

    @Test
    void shouldNotBlameAPrimaryForThoseBeforeIt() {
        age.onPeriod(1, 0, 5);
        age.onPeriod(7, 0, 5);

        assertThat(age.of(9, 7)).isEqualTo(2);
    }

    @Test
    void shouldKeepNoMoreMarksThanAnAgeMayHave() {
        for (int period = 1; period <= 100; period++) {
            age.onPeriod(period, 0, period);
        }
        assertThat(age.entryCount()).isEqualTo(11);
        assertThat(age.of(100, 0)).isEqualTo(99);

        age.onPeriod(101, 11, 101);
        assertThat(age.of(101, 0)).as("the next mark").isZero();
        assertThat(age.entryCount()).isEqualTo(1);
    }
}
