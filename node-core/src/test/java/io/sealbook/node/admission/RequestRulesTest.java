package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.membership.Membership;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What nodes judge of entries that are about no single order. */
class RequestRulesTest {
    private static final int BROKER = 3;
    private static final DoorTerms TERMS = new DoorTerms(Membership.of(Genesis.newBuilder()
            .addInstruments(
                    Instrument.newBuilder().setInstrumentId(5).setPriceMax(9).setQuantityMax(9))
            .addBrokers(Broker.newBuilder()
                    .setBrokerId(BROKER)
                    .addAccounts(AccountRange.newBuilder().setFirst(7)))
            .build()));

    private record Entry(
            long clOrdId, long origClOrdId, long price, long quantity, int account, int instrument, long kind) {}

    private static Entry massCancel(long session, long scope, int account, int instrument, int side) {
        return new Entry(1, 0, session, scope, account, instrument, 'q' | (long) side << 8);
    }

    private static Entry cancelAfter(long units) {
        return new Entry(1, 0, 0, units, 0, 0, 'A');
    }

    private static IngressSlot judge(boolean isFromPeer, Entry... entries) {
        UnsafeBuffer buffer =
                new UnsafeBuffer(new byte[SignedBatch.ORDERS_OFFSET + entries.length * SignedBatch.ORDER_LENGTH]);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .ordersCount(entries.length);
        int at = SignedBatch.ORDERS_OFFSET;
        for (Entry entry : entries) {
            buffer.putLong(at, entry.clOrdId, ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + 8, entry.origClOrdId, ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + 16, entry.price, ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + 24, entry.quantity, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + 32, entry.account, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + 36, entry.instrument, ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + 40, entry.kind, ByteOrder.LITTLE_ENDIAN);
            at += SignedBatch.ORDER_LENGTH;
        }
        OrderBatchDecoder batch = new OrderBatchDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        IngressSlot slot = new IngressSlot();
        if (isFromPeer) {
            new OrderRules().checkFieldsOnly(slot, batch);
        } else {
            new OrderRules().check(slot, batch, TERMS, TERMS.broker(BROKER));
        }
        return slot;
    }

    private static RefusalReason reason(Entry... entries) {
        return judge(false, entries).refusal;
    }

    @Test
    void shouldAdmitRequestsBesideOrders() {
        Entry order = new Entry(2, 0, 5, 5, 7, 5, 'D' | '1' << 8 | '2' << 16 | (long) '0' << 24);

        assertThat(reason(massCancel(0, 0, 0, 0, 0), order, massCancel(0, 0, 0, 5, '1'), order))
                .isNull();
        assertThat(reason(massCancel(1023, 3, 7, 5, '2'), cancelAfter(0), cancelAfter(100), cancelAfter(8_640_000)))
                .isNull();
    }

    @Test
    void shouldRefuseFieldsThatMeanNothingAlikeForBrokersAndPeers() {
        Entry[] malformed = {
            massCancel(0, 4, 0, 0, 0),
            massCancel(0, -1, 0, 0, 0),
            massCancel(1, 0, 0, 0, 0),
            massCancel(-1, 2, 0, 0, 0),
            massCancel(0x10000, 2, 0, 0, 0),
            massCancel(0, 0, 7, 0, 0),
            massCancel(0, 0, 0, 0, '3'),
            new Entry(0, 0, 0, 0, 0, 0, 'q'),
            new Entry(1, 2, 0, 0, 0, 0, 'q'),
            new Entry(1, 0, 0, 0, 0, 0, 'q' | '1' << 16),
            new Entry(1, 0, 0, 0, 0, 0, 'q' | (long) '1' << 24),
            new Entry(1, 0, 0, 0, 0, 0, 'q' | 1L << 32),
            new Entry(1, 0, 0, 0, 0, 0, 'q' | 1L << 48),
            cancelAfter(99),
            cancelAfter(-1),
            cancelAfter(8_640_001),
            new Entry(1, 0, 1, 100, 0, 0, 'A'),
            new Entry(1, 0, 0, 100, 7, 0, 'A'),
            new Entry(1, 0, 0, 100, 0, 5, 'A'),
            new Entry(1, 0, 0, 100, 0, 0, 'A' | '1' << 8),
        };

        for (Entry entry : malformed) {
            assertThat(reason(entry)).as(entry.toString()).isEqualTo(RefusalReason.MALFORMED);
            assertThat(judge(true, cancelAfter(100), entry).refusal)
                    .as(entry.toString())
                    .isEqualTo(RefusalReason.MALFORMED);
        }
    }

    @Test
    void shouldRefuseABrokerWhatIsNotThereAndLeaveItToTheEngineForPeers() {
        assertThat(reason(massCancel(0, 0, 0, 6, 0))).isEqualTo(RefusalReason.UNKNOWN_INSTRUMENT);
        assertThat(reason(massCancel(0, 1, 8, 5, 0))).isEqualTo(RefusalReason.INVALID_ACCOUNT);

        assertThat(judge(true, massCancel(0, 0, 0, 6, 0), massCancel(0, 1, 8, 5, 0)).refusal)
                .isNull();
    }
}
