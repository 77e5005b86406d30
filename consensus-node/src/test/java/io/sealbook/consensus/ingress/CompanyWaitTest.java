package io.sealbook.consensus.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.BatchPreference.Callers;
import org.junit.jupiter.api.Test;

class CompanyWaitTest {
    private static final long MS = 1_000_000;
    private static final BatchPreference DEVICE = new BatchPreference(65, 4_096, 65_536, Callers.ONE);

    private long now;
    private long arrived;

    /** Lets batches arrive at a steady rate for a time, each seen when it comes and handed over alone. */
    private void arrive(CompanyWait wait, int perMs, int ms) {
        for (int i = 0; i < perMs * ms; i++) {
            now += MS / perMs;
            arrived++;
            if (wait.sleepNs(DEVICE.from(), arrived, now) != 0) {
                throw new AssertionError("a full batch waits");
            }
        }
    }

    @Test
    void shouldNotKeepALoneBatchWaiting() {
        CompanyWait wait = new CompanyWait(DEVICE, MS, 1);

        for (int second = 0; second < 10; second++) {
            now += 1_000 * MS;
            assertThat(wait.sleepNs(1, ++arrived, now)).isZero();
        }
    }

    @Test
    void shouldNotWaitForABatchThatTheLoadDoesNotPromise() {
        CompanyWait wait = new CompanyWait(DEVICE, MS, 1);
        arrive(wait, 40, 100);

        assertThat(wait.sleepNs(10, arrived, now)).isZero();
    }

    @Test
    void shouldWaitForTheBatchThatReachesTheDevice() {
        CompanyWait wait = new CompanyWait(DEVICE, MS, 1);
        arrive(wait, 100, 100);

        assertThat(wait.sleepNs(10, arrived, now)).isBetween(500_000L, 600_000L);
        now += MS / 2;
        arrived += 50;
        assertThat(wait.sleepNs(60, arrived, now)).isEqualTo(50_000);
        now += MS / 10;
        arrived += 10;
        assertThat(wait.sleepNs(70, arrived, now)).isZero();
    }

    @Test
    void shouldWaitForAFullBatchWhereTheLoadPromisesIt() {
        CompanyWait wait = new CompanyWait(DEVICE, 10 * MS, 1);
        arrive(wait, 1_000, 100);

        assertThat(wait.sleepNs(96, arrived, now)).isBetween(3_900_000L, 4_100_000L);
    }

    /** The load ends while signatures wait: the bound of the first look holds, whatever was promised. */
    @Test
    void shouldNeverWaitLongerThanTheBound() {
        CompanyWait wait = new CompanyWait(DEVICE, MS, 1);
        arrive(wait, 200, 100);
        long first = now;

        long sleepNs = wait.sleepNs(1, arrived, now);
        while (sleepNs > 0) {
            now += sleepNs;
            sleepNs = wait.sleepNs(1, arrived, now);
        }

        assertThat(now - first).isLessThanOrEqualTo(MS);
        assertThat(wait.sleepNs(64, arrived, now)).isNotNegative();
    }

    @Test
    void shouldDivideArrivalsAmongLanes() {
        CompanyWait wait = new CompanyWait(BatchPreference.perCore(64, 1_024), MS, 4);
        arrive(wait, 200, 100);
        assertThat(wait.sleepNs(1, arrived, now)).isZero();

        arrive(wait, 400, 100);
        assertThat(wait.sleepNs(1, arrived, now)).isPositive();
    }

    @Test
    void shouldNeverWaitWithoutABound() {
        CompanyWait wait = new CompanyWait(DEVICE, 0, 1);
        arrive(wait, 1_000, 100);

        assertThat(wait.sleepNs(1, arrived, now)).isZero();
    }
}
