package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates on given time, which begins anywhere. */
class PortRatesTest {
    private static final long S = 1_000_000_000;
    private static final Caller BROKER = new Caller(Role.BROKER, 1);
    private static final Caller OTHER = new Caller(Role.BROKER, 2);

    private final PortRates quota = new PortRates(new Rates(10, 1_000), true);

    @ParameterizedTest
    @ValueSource(longs = {0, 5, -7 * S, Long.MAX_VALUE - S, Long.MIN_VALUE})
    void shouldLetTwoSecondsWorthThroughAtOnceAndThenTheRate(long startNs) {
        assertThat(admitted(BROKER, 100, startNs)).isEqualTo(20);
        assertThat(admitted(BROKER, 100, startNs + S)).isEqualTo(10);
        assertThat(admitted(BROKER, 100, startNs + S + S / 2)).isEqualTo(5);
        assertThat(admitted(BROKER, 100, startNs + 60 * S)).isEqualTo(20);
    }

    @Test
    void shouldLetNoHolderUseAnothersRates() {
        assertThat(admitted(BROKER, 100, 0)).isEqualTo(20);

        assertThat(admitted(OTHER, 100, 0)).isEqualTo(20);
        assertThat(admitted(new Caller(Role.MEMBER, 1), 100, 0)).isEqualTo(20);
    }

    @Test
    void shouldNameHolderRateAndWait() {
        admitted(BROKER, 20, 0);

        RateRefusal calls = quota.take(BROKER, 0, S / 20).orElseThrow();
        assertThat(calls.reason()).isEqualTo("broker 1 makes more than 10 calls per second, the most that one may");
        assertThat(calls.waitMs()).isEqualTo(50);
        assertThat(calls.retryAfter()).isEqualTo("1");
        assertThat(quota.take(BROKER, 0, S / 20 + calls.waitNs()))
                .as("after that wait")
                .isEmpty();

        assertThat(quota.take(OTHER, 1_500, 0)).isEmpty();
        RateRefusal bytes = quota.take(OTHER, 1_500, 0).orElseThrow();
        assertThat(bytes.reason()).isEqualTo("broker 2 sends more than 1000 bytes per second, the most that one may");
        assertThat(bytes.waitMs()).isEqualTo(1_000);
    }

    /** A message larger than the bucket would else never be let through. */
    @Test
    void shouldCountAMessageOfAnyLengthAsTwoSecondsWorthAtMost() {
        Allowance allowance = quota.of(BROKER, 0);

        assertThat(allowance.takeBytes(Long.MAX_VALUE, 0)).isEmpty();
        assertThat(allowance.takeBytes(1, 0)).isPresent();
        assertThat(allowance.takeBytes(1_000, S)).isEmpty();
        assertThat(allowance.takeBytes(Long.MAX_VALUE, 2 * S)).isPresent();
        assertThat(allowance.takeBytes(Long.MAX_VALUE, 3 * S)).isEmpty();
    }

    @Test
    void shouldCountTheAddressOfThoseWithoutARole() throws Exception {
        InetAddress address = InetAddress.getByName("192.0.2.1");
        int admitted = 0;
        for (int certificate = 0; certificate < 10; certificate++) {
            for (int i = 0; i < 30; i++) {
                admitted += quota.share("certificate " + certificate, address, 0)
                                .takeCall(0)
                                .isEmpty()
                        ? 1
                        : 0;
            }
        }

        assertThat(admitted).isEqualTo(4 * 20);
        assertThat(quota.share(BROKER, address, 0).takeCall(0)).isEmpty();
        assertThat(admitted(address, 100, 0)).isZero();
        PortRates plain = new PortRates(new Rates(10, 1_000), false);
        PortRates.Share ofAddress = plain.share(address, address, 0);
        for (int i = 0; i < 20; i++) {
            assertThat(ofAddress.takeCall(0)).as("it counts once").isEmpty();
        }
        assertThat(ofAddress.takeCall(0)).isPresent();
    }

    @Test
    void shouldHoldNoMoreStrangersThanItMayAndForgetThoseWhoAreQuiet() {
        for (int i = 0; i < PortRates.STRANGERS_MAX; i++) {
            assertThat(quota.take("certificate " + i, 0, 0)).isEmpty();
        }

        assertThat(quota.of("late 1", 0)).isSameAs(quota.of("late 2", 0));
        assertThat(quota.of("certificate 1", 0)).isNotSameAs(quota.of("certificate 2", 0));
        assertThat(quota.of(BROKER, 0)).isNotSameAs(quota.of(OTHER, 0));
        assertThat(quota.of("late 1", 10 * S)).as("others are quiet").isNotSameAs(quota.of("late 2", 10 * S));
    }

    /** A WebSocket or stream that was quiet while its holder was forgotten. */
    @Test
    void shouldCountWhatIsOpenWithWhatIsNew() throws Exception {
        InetAddress address = InetAddress.getByName("192.0.2.1");
        PortRates.Share open = quota.share("certificate", address, 0);
        for (int i = 2; i < PortRates.STRANGERS_MAX; i++) {
            quota.take("certificate " + i, 0, 0);
        }
        quota.of("one too many", 10 * S);

        for (int i = 0; i < 15; i++) {
            assertThat(quota.share("certificate", address, 10 * S).takeCall(10 * S))
                    .isEmpty();
        }
        int ofOpen = 0;
        while (open.takeCall(10 * S).isEmpty()) {
            ofOpen++;
        }

        assertThat(ofOpen).isEqualTo(5);
    }

    @Test
    void shouldCountEachCallOnceFromAllThreads() throws Exception {
        AtomicInteger admitted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> admitted.addAndGet(admitted(BROKER, 10_000, 0))));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted).hasValue(20);
    }

    /** A batch of a broker is checked so: what is let through must not make work for the collector. */
    @Test
    void shouldAllocateNothingForWhatIsLetThrough() {
        PortRates wide = new PortRates(new Rates(Rates.CALLS_MAX, Rates.BYTES_MAX), true);
        PortRates.Share share = wide.share(BROKER, InetAddress.getLoopbackAddress(), 0);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(wide, share, 0);
        long before = threads.getCurrentThreadAllocatedBytes();
        int admitted = run(wide, share, 60 * S);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(admitted).isEqualTo(100_000);
        assertThat(allocated).isLessThan(10_000);
    }

    private static int run(PortRates wide, PortRates.Share share, long nowNs) {
        int admitted = 0;
        for (int i = 0; i < 100_000; i++) {
            admitted += share.takeBytes(1_000, nowNs).isEmpty()
                            && wide.take(OTHER, 1, nowNs).isEmpty()
                    ? 1
                    : 0;
        }
        return admitted;
    }

    @Test
    void shouldRefuseRatesWithoutMeaning() {
        assertThatThrownBy(() -> new Rates(0, 1)).hasMessage("calls per second: 0 is not 1..1000000");
        assertThatThrownBy(() -> new Rates(1, 1_000_000_001))
                .hasMessage("bytes per second: 1000000001 is not 1..1000000000");
    }

    private int admitted(Object holder, int calls, long nowNs) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            admitted += quota.take(holder, 0, nowNs).isEmpty() ? 1 : 0;
        }
        return admitted;
    }
}
