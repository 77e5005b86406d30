package io.sealbook.client.reports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** At times that a test names. */
class SenderPatienceTest {
    private static final long FIRST = 100;
    /** As {@link System#nanoTime} may have it: sums overflow. */
    private static final long NOW = Long.MAX_VALUE - 50;

    private final SenderPatience patience = new SenderPatience(FIRST);

    @Test
    void shouldEndWithoutANewRun() {
        assertThat(patience.behind(1, NOW)).isTrue();
        assertThat(patience.behind(1, NOW + 99)).isFalse();

        assertThat(patience.leftNs(NOW + 99)).isOne();
        assertThat(patience.leftNs(NOW + 100)).isZero();
    }

    @Test
    void shouldBeginAnewWithEachNewRun() {
        patience.behind(1, NOW);
        patience.behind(257, NOW + 70);
        assertThat(patience.leftNs(NOW + 140)).isEqualTo(30);

        patience.behind(513, NOW + 140);

        assertThat(patience.leftNs(NOW + 210)).isEqualTo(30);
    }

    /** A sender whose stream begins again sends the same runs. */
    @Test
    void shouldNotBeginAnewWithARunThatCameBefore() {
        patience.behind(1, NOW);
        patience.behind(257, NOW + 10);
        patience.behind(1, NOW + 50);
        patience.behind(257, NOW + 60);

        assertThat(patience.leftNs(NOW + 60)).isEqualTo(50);
    }

    @Test
    void shouldEndAlthoughRunsCome() {
        long at = NOW;
        for (int run = 0; run < 10; run++) {
            patience.behind(1 + 256L * run, at);
            at += 50;
        }

        assertThat(patience.leftNs(NOW + 399)).isOne();
        assertThat(patience.leftNs(NOW + 400)).isZero();
    }

    @Test
    void shouldDoubleForTheNextSenderUntilABlockIsDelivered() {
        patience.behind(1, NOW);
        patience.usedUp();
        assertThat(patience.behind(1, NOW + 100)).isTrue();
        assertThat(patience.leftNs(NOW + 100)).isEqualTo(200);
        patience.behind(257, NOW + 250);
        patience.behind(513, NOW + 400);
        patience.behind(769, NOW + 550);
        patience.behind(1025, NOW + 700);
        assertThat(patience.leftNs(NOW + 899)).isOne();

        patience.end();
        patience.delivered();
        patience.behind(1281, NOW + 900);

        assertThat(patience.leftNs(NOW + 900)).isEqualTo(100);
    }

    /** What the sender had for a block it has until it is no more behind. */
    @Test
    void shouldKeepTheTimeOfASenderThatIsStillBehind() {
        patience.behind(1, NOW);
        patience.usedUp();
        patience.behind(1, NOW);

        patience.delivered();
        patience.behind(257, NOW + 150);

        assertThat(patience.leftNs(NOW + 150)).isEqualTo(200);
    }

    @Test
    void shouldDoubleSixTimesOnly() {
        for (int sender = 0; sender < 100; sender++) {
            patience.behind(1, NOW);
            patience.usedUp();
        }
        patience.behind(1, NOW);

        assertThat(patience.leftNs(NOW)).isEqualTo(64 * FIRST);
    }

    @Test
    void shouldNotOverflow() {
        SenderPatience endless = new SenderPatience(Long.MAX_VALUE);
        for (int sender = 0; sender < 10; sender++) {
            endless.behind(1, NOW);
            endless.usedUp();
        }
        endless.behind(1, NOW);

        assertThat(endless.leftNs(NOW)).isPositive();
    }

    @Test
    void shouldTellOneTimeFromTheNext() {
        patience.behind(1, NOW);
        long number = patience.number();
        assertThat(patience.isOn(number)).isTrue();

        patience.end();
        assertThat(patience.isOn(number)).isFalse();

        patience.behind(1, NOW);
        assertThat(patience.isOn(number)).isFalse();
    }
}
