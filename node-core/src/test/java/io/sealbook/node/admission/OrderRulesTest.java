package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.membership.Membership;
import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderRulesTest {
    private static final Genesis GENESIS = Genesis.newBuilder()
            .addInstruments(instrument(1, 100, 200, 50))
            .addInstruments(instrument(2, 1, 1_000, 5))
            .addInstruments(instrument(0, -10, 10, 10))
            .build();
    private static final DoorTerms TERMS = new DoorTerms(Membership.of(GENESIS));
    private static final DoorTerms.Entry BROKER = broker(7, 8);
    private static final DoorTerms.Entry OTHER = broker(9);
    private static final int ORDER = SignedBatch.ORDER_LENGTH;

    /** One that has seen everything before judges like one that never has: entry by entry, looked at field by field. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldJudgeLikeOneThatRemembersNothing(long seed) {
        Random random = new Random(seed);
        OrderRules rules = new OrderRules();
        Map<RefusalReason, Integer> seen = new EnumMap<>(RefusalReason.class);

        for (int i = 0; i < 20_000; i++) {
            byte[] batch = batch(random, 1 + random.nextInt(12));
            DoorTerms.Entry broker = random.nextInt(4) == 0 ? OTHER : BROKER;
            IngressSlot expected = judgeOneByOne(batch, broker);

            IngressSlot slot = judge(rules, batch, broker);

            assertThat(slot.refusal).isEqualTo(expected.refusal);
            assertThat(slot.detail).isEqualTo(expected.detail);
            if (slot.refusal != null) {
                seen.merge(slot.refusal, 1, Integer::sum);
            }
        }
        assertThat(seen.values().stream().mapToInt(Integer::intValue).sum()).isBetween(2_000, 18_000);
        assertThat(seen)
                .hasSize(5)
                .allSatisfy((reason, count) -> assertThat(count).isGreaterThan(100));
    }

    @Test
    void shouldRefuseNothingButZerosBehindAGoodEntry() {
        byte[] batch = new byte[SignedBatch.ORDERS_OFFSET + 2 * ORDER];
        UnsafeBuffer buffer = new UnsafeBuffer(batch);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .ordersCount(2)
                .next()
                .quantity(1)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY);

        IngressSlot slot = judge(new OrderRules(), batch, broker(0));

        assertThat(slot.detail)
                .isEqualTo("offset " + (SignedBatch.ORDERS_OFFSET + ORDER + 40) + ": order 1 has action 0");
    }

    private static IngressSlot judgeOneByOne(byte[] batch, DoorTerms.Entry broker) {
        int count = (batch.length - SignedBatch.ORDERS_OFFSET) / ORDER;
        IngressSlot slot = new IngressSlot();
        for (int i = 0; i < count && slot.refusal == null; i++) {
            slot = judge(new OrderRules(), only(batch, i), broker);
            if (slot.refusal != null) {
                slot.detail = slot.detail
                        .replaceFirst("order 0", "order " + i)
                        .replaceFirst("^offset \\d+", offset(slot.detail, i));
            }
        }
        return slot;
    }

    private static String offset(String detail, int i) {
        if (!detail.startsWith("offset ")) {
            return "offset";
        }
        int at = Integer.parseInt(detail.substring("offset ".length(), detail.indexOf(':')));
        return "offset " + (at + i * ORDER);
    }

    /** Returns a batch of the one entry {@code i} of another. */
    private static byte[] only(byte[] batch, int i) {
        byte[] one = new byte[SignedBatch.ORDERS_OFFSET + ORDER];
        System.arraycopy(batch, 0, one, 0, SignedBatch.ORDERS_OFFSET);
        System.arraycopy(batch, SignedBatch.ORDERS_OFFSET + i * ORDER, one, SignedBatch.ORDERS_OFFSET, ORDER);
        new UnsafeBuffer(one).putShort(SignedBatch.ORDERS_OFFSET - 2, (short) 1, ByteOrder.LITTLE_ENDIAN);
        return one;
    }

    private static IngressSlot judge(OrderRules rules, byte[] batch, DoorTerms.Entry broker) {
        IngressSlot slot = new IngressSlot();
        OrderBatchDecoder decoder =
                new OrderBatchDecoder().wrapAndApplyHeader(new UnsafeBuffer(batch), 0, new MessageHeaderDecoder());
        rules.check(slot, decoder, TERMS, broker);
        return slot;
    }

    private static byte[] batch(Random random, int count) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.ORDERS_OFFSET + count * ORDER]);
        OrderBatchEncoder batch = new OrderBatchEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        batch.ordersCount(count);
        int instrument = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int at = SignedBatch.ORDERS_OFFSET + i * ORDER;
            byte action = pick(random, 'D', 'D', 'F', 'G');
            boolean isBare = action == 'F' && random.nextBoolean();
            boolean isMarket = random.nextInt(8) == 0;
            buffer.putLong(at + 16, isMarket ? 0 : middle(instrument), ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + 24, 1 + random.nextInt(5), ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + 32, random.nextInt(6) == 0 ? 8 : 7, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + 36, instrument, ByteOrder.LITTLE_ENDIAN);
            buffer.putByte(at + 40, action);
            buffer.putByte(at + 41, isBare ? 0 : pick(random, '1', '2'));
            buffer.putByte(at + 42, isBare ? 0 : pick(random, isMarket ? '1' : '2'));
            buffer.putByte(at + 43, isBare ? 0 : pick(random, '0', '1', '3', '4'));
            if (random.nextInt(20) == 0) {
                bend(buffer, at, random);
            }
            if (random.nextInt(10) == 0) {
                instrument = random.nextInt(3);
            }
        }
        return buffer.byteArray();
    }

    /** Changes one field, to something bad more often than not. */
    private static void bend(UnsafeBuffer buffer, int at, Random random) {
        switch (random.nextInt(7)) {
            case 0 ->
                buffer.putLong(at + 16, pickOf(random, 0, 99, 100, 200, 201, -10, 11, 1_001), ByteOrder.LITTLE_ENDIAN);
            case 1 -> buffer.putLong(at + 24, pickOf(random, 0, -1, 5, 6, 11, 50, 51), ByteOrder.LITTLE_ENDIAN);
            case 2 -> buffer.putInt(at + 32, random.nextInt(10), ByteOrder.LITTLE_ENDIAN);
            case 3 -> buffer.putInt(at + 36, random.nextInt(5), ByteOrder.LITTLE_ENDIAN);
            case 4 -> buffer.putByte(at + 44 + random.nextInt(4), (byte) random.nextInt(2));
            default -> buffer.putByte(at + 40 + random.nextInt(4), pick(random, 'D', 'F', '1', '2', '0', 'X', 0));
        }
    }

    private static long middle(int instrument) {
        return instrument == 0 ? 1 : 150;
    }

    private static byte pick(Random random, int... values) {
        return (byte) values[random.nextInt(values.length)];
    }

    private static long pickOf(Random random, long... values) {
        return values[random.nextInt(values.length)];
    }

    private static Instrument instrument(int id, long priceMin, long priceMax, long quantityMax) {
        return Instrument.newBuilder()
                .setInstrumentId(id)
                .setPriceMin(priceMin)
                .setPriceMax(priceMax)
                .setQuantityMax(quantityMax)
                .build();
    }

    private static DoorTerms.Entry broker(int... accountIds) {
        return new DoorTerms.Entry(
                BrokerStatus.BROKER_ACTIVE,
                new Int2ObjectHashMap<>(),
                AccountRanges.of(accountIds),
                DoorRate.of(RateQuota.NONE));
    }
}
