package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeedMeasurementTest {
    private static final int RATE = 200_000;
    private static final long NS_PER_SIGNATURE = 1_000_000_000L / RATE;
    private static final long INTERRUPTION_NS = 40_000_000;

    private long nowNs;

    /** On a busy machine an interruption is longer than the whole measurement, and a fast verifier looks slow. */
    @Test
    void shouldFindTheRateOfAVerifierThatIsInterruptedThreeTimesOfFour() {
        assertThat(SpeedMeasurement.verificationsPerSecond(new InterruptedVerifier(), () -> nowNs))
                .isEqualTo(RATE);
    }

    private final class InterruptedVerifier implements SignatureVerifier {
        private int calls;

        @Override
        public String provider() {
            return "interrupted";
        }

        @Override
        public int verify(SignatureBatch batch) {
            nowNs += batch.size() * NS_PER_SIGNATURE;
            if (++calls % 4 != 0) {
                nowNs += INTERRUPTION_NS;
            }
            for (int i = 0; i < batch.size(); i++) {
                batch.setValid(i, true);
            }
            return batch.size();
        }

        @Override
        public void close() {}
    }
}
