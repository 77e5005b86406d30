package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.OrderView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The view of an order that needs no Agrona reads what the schema's own encoder writes. */
class OrderViewContractTest {
    private final BatchView batch = new BatchView();
    private final OrderView view = new OrderView();

    @RepeatedTest(50)
    void shouldReadWhatTheSchemaWrites(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int count = 1 + random.nextInt(5);
        int index = random.nextInt(count);
        int offset = random.nextInt(40);
        byte[] bytes = new byte[offset + SignedBatch.signedLength(count)];
        random.nextBytes(bytes);
        long clOrdId = random.nextLong();
        long origClOrdId = random.nextLong();
        long price = random.nextLong();
        long quantity = random.nextLong();
        int accountId = random.nextInt();
        int instrumentId = random.nextInt();
        OrdersEncoder orders = new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(bytes), offset, new MessageHeaderEncoder())
                .ordersCount(count);
        for (int i = 0; i <= index; i++) {
            orders.next();
        }
        orders.clOrdId(clOrdId)
                .origClOrdId(origClOrdId)
                .price(price)
                .quantity(quantity)
                .accountId(Integer.toUnsignedLong(accountId))
                .instrumentId(Integer.toUnsignedLong(instrumentId))
                .action(Action.REPLACE)
                .side(Side.SELL)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.FILL_OR_KILL);

        view.wrap(batch.wrap(bytes, offset, SignedBatch.signedLength(count)), index);

        assertThat(view.clOrdId()).isEqualTo(clOrdId);
        assertThat(view.origClOrdId()).isEqualTo(origClOrdId);
        assertThat(view.priceTicks()).isEqualTo(price);
        assertThat(view.quantityLots()).isEqualTo(quantity);
        assertThat(view.accountId()).isEqualTo(accountId);
        assertThat(view.instrumentId()).isEqualTo(instrumentId);
        assertThat(view.actionCode()).isEqualTo(Action.REPLACE.value());
        assertThat(view.sideCode()).isEqualTo(Side.SELL.value());
        assertThat(view.ordTypeCode()).isEqualTo(OrdType.LIMIT.value());
        assertThat(view.timeInForceCode()).isEqualTo(TimeInForce.FILL_OR_KILL.value());
    }

    @Test
    void shouldRefuseAnOrderThatTheBatchHasNot() {
        byte[] bytes = new byte[SignedBatch.signedLength(2)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
                .ordersCount(2);
        batch.wrap(bytes);

        for (int index : new int[] {-1, 2}) {
            assertThatThrownBy(() -> view.wrap(batch, index))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("of 2");
        }
    }
}
