package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchIdTest {
    private final Sha256 sha256 = new Sha256();
    private final byte[] signedBatch = new byte[SignedBatch.signedLength(2)];

    {
        new Random(1).nextBytes(signedBatch);
    }

    @Test
    void shouldCoverTheBatchAndNotItsSignature() {
        Digest id = BatchId.of(signedBatch);

        assertThat(id)
                .isEqualTo(
                        Digest.sha256(Arrays.copyOf(signedBatch, signedBatch.length - SignedBatch.SIGNATURE_LENGTH)));
        signedBatch[signedBatch.length - SignedBatch.SIGNATURE_LENGTH] ^= 1;
        assertThat(BatchId.of(signedBatch)).isEqualTo(id);
        signedBatch[signedBatch.length - SignedBatch.SIGNATURE_LENGTH - 1] ^= 1;
        assertThat(BatchId.of(signedBatch)).isNotEqualTo(id);
    }

    @Test
    void shouldBeTheSameAnywhereInAnArrayAndInEveryForm() {
        Digest id = BatchId.of(signedBatch);
        byte[] longer = new byte[signedBatch.length + 20];
        System.arraycopy(signedBatch, 0, longer, 7, signedBatch.length);

        byte[] written = new byte[40];
        BatchId.write(sha256, longer, 7, signedBatch.length, written, 3);

        assertThat(BatchId.of(sha256, longer, 7, signedBatch.length)).isEqualTo(id);
        assertThat(Digest.of(written, 3)).isEqualTo(id);
        assertThat(BatchId.isOf(sha256, longer, 7, signedBatch.length, id)).isTrue();
        assertThat(BatchId.isOf(sha256, longer, 8, signedBatch.length, id)).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNoLongerThanASignature() {
        byte[] none = new byte[SignedBatch.SIGNATURE_LENGTH];

        assertThatThrownBy(() -> BatchId.of(none)).isInstanceOf(IllegalArgumentException.class);
        assertThat(BatchId.isOf(sha256, none, 0, none.length, Digest.sha256())).isFalse();
        assertThat(BatchId.isOf(sha256, none, 0, -1, Digest.sha256())).isFalse();
    }
}
