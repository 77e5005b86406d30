package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedMeasurementTest {
    private static final long INTERRUPTION_MS = 40;

    /** On a busy machine each interruption is longer than the whole measurement, and a fast verifier looks slow. */
    @Test
    void shouldVerifySeveralBatchesEvenIfTheFirstTakesLongerThanTheMeasurement() {
        InterruptedVerifier verifier = new InterruptedVerifier();

        SpeedMeasurement.verificationsPerSecond(verifier);

        assertThat(verifier.sizes)
                .as("one in each warm-up, and those measured")
                .hasSize(2 + SpeedMeasurement.MEASURED_BATCHES_MIN);
    }

    private static final class InterruptedVerifier implements SignatureVerifier {
        private final List<Integer> sizes = new ArrayList<>();

        @Override
        public String provider() {
            return "interrupted";
        }

        @Override
        public int verify(SignatureBatch batch) {
            sizes.add(batch.size());
            try {
                Thread.sleep(INTERRUPTION_MS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
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
