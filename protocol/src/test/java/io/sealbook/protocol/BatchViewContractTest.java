package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The view that needs no Agrona reads what the schema's own encoder writes. */
class BatchViewContractTest {
    private static final int ORDERS = 3;
    private static final int SIGNED_LENGTH = SignedBatch.signedLength(ORDERS);

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final OrderBatchEncoder encoder = new OrderBatchEncoder();
    private final BatchView view = new BatchView();

    @RepeatedTest(50)
    void shouldReadWhatTheSchemaWrites(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int offset = random.nextInt(40);
        byte[] bytes = new byte[offset + SIGNED_LENGTH + 9];
        random.nextBytes(bytes);
        long chainId = random.nextLong();
        long number = random.nextLong();
        byte[] previous = new byte[Digest.LENGTH];
        random.nextBytes(previous);
        int session = random.nextInt(65_535);
        long validUntilBlock = random.nextLong();
        long sentTimeNs = random.nextLong();
        int brokerId = random.nextInt();
        int keyId = random.nextInt(65_535);
        Scheme scheme = random.nextBoolean() ? Scheme.SM2_SM3 : Scheme.ECDSA_SECP256K1_SHA256;
        int reserved = random.nextInt(0x100);
        int timeToLive = random.nextInt(0x1_0000);
        encoder.wrapAndApplyHeader(new UnsafeBuffer(bytes), offset, header)
                .chainId(chainId)
                .number(number)
                .validUntilBlock(validUntilBlock)
                .sentTimeNs(sentTimeNs)
                .brokerId(Integer.toUnsignedLong(brokerId))
                .keyId(keyId)
                .session(session)
                .scheme(scheme)
                .putPrevious(previous, 0, previous.length)
                .reserved((short) reserved)
                .timeToLive(timeToLive)
                .ordersCount(ORDERS);

        view.wrap(bytes, offset, SIGNED_LENGTH);

        assertThat(view.isOrderBatch()).isTrue();
        assertThat(view.chainId()).isEqualTo(chainId);
        assertThat(view.number()).isEqualTo(number);
        assertThat(view.validUntilBlock()).isEqualTo(validUntilBlock);
        assertThat(view.sentTimeNs()).isEqualTo(sentTimeNs);
        assertThat(view.previous()).isEqualTo(Digest.of(previous));
        assertThat(view.session()).isEqualTo(session);
        assertThat(view.brokerId()).isEqualTo(brokerId);
        assertThat(view.keyId()).isEqualTo(keyId);
        assertThat(view.schemeCode()).isEqualTo(scheme.value());
        assertThat(view.reserved()).isEqualTo(reserved);
        assertThat(view.timeToLive()).isEqualTo(timeToLive);
        assertThat(view.orderCount()).isEqualTo(ORDERS);
        assertThat(view.orderLength()).isEqualTo(OrderBatchEncoder.OrdersEncoder.sbeBlockLength());
        assertThat(view.rootLength()).isEqualTo(OrderBatchEncoder.BLOCK_LENGTH);
        assertThat(view.array()).isSameAs(bytes);
        assertThat(view.offset()).isEqualTo(offset);
        assertThat(view.signedLength()).isEqualTo(SIGNED_LENGTH);
        assertThat(view.signatureOffset()).isEqualTo(offset + SignedBatch.batchLength(ORDERS));
    }

    @Test
    void shouldNameTheVersionOfTheSchema() {
        assertThat(BatchView.TEMPLATE_ID).isEqualTo(OrderBatchDecoder.TEMPLATE_ID);
        assertThat(BatchView.SCHEMA_ID).isEqualTo(OrderBatchDecoder.SCHEMA_ID);
        assertThat(BatchView.SCHEMA_VERSION).isEqualTo(OrderBatchDecoder.SCHEMA_VERSION);
    }

    @Test
    void shouldTellOtherBytesFromABatch() {
        byte[] batch = new byte[SIGNED_LENGTH];
        encoder.wrapAndApplyHeader(new UnsafeBuffer(batch), 0, header).ordersCount(ORDERS);
        assertThat(view.wrap(batch).isOrderBatch()).isTrue();

        for (int at : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 84, 85, 86, 87}) {
            byte[] other = batch.clone();
            other[at] ^= 1;
            assertThat(view.wrap(other).isOrderBatch()).as("byte %d", at).isFalse();
        }
        assertThat(view.wrap(batch, 0, SIGNED_LENGTH - 1).isOrderBatch()).isFalse();
    }

    @Test
    void shouldRefuseWhatIsShorterThanABatch() {
        byte[] bytes = new byte[SIGNED_LENGTH];
        int least = SignedBatch.signedLength(0);

        assertThatThrownBy(() -> view.wrap(bytes, 0, least - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> view.wrap(bytes, bytes.length - least + 1, least))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> view.wrap(bytes, -1, least)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(view.wrap(bytes, bytes.length - least, least).signedLength()).isEqualTo(least);
    }
}
