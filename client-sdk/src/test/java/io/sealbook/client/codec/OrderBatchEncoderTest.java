package io.sealbook.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.Order;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderBatchEncoderTest {
    private static final int ROUNDS = 500;

    @Test
    void shouldWriteTheDrawnBytes() {
        OrderBatchEncoder encoder = new OrderBatchEncoder(1);
        encoder.begin(
                0x0102030405060708L,
                0x11121314,
                0x2122,
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                new BatchPosition(0x2526, 0x3132333435363738L, Digest.sha256(new byte[0])),
                0x4142434445464748L,
                0x5152535455565758L,
                0xABCD);
        encoder.add(new Order(
                Action.REPLACE,
                0x6162636465666768L,
                0x7172737475767778L,
                0x21222324,
                0x31323334,
                Side.SELL,
                OrdType.LIMIT,
                TimeInForce.GOOD_TILL_CANCEL,
                0x0A0B0C0D0E0F1011L,
                0x1A1B1C1D1E1F2021L));
        int length = encoder.finish();

        assertThat(HexFormat.of().formatHex(encoder.array(), 0, length))
                .isEqualTo("4c00" + "0100" + "0100" + "0100"
                        + "0807060504030201" + "3837363534333231" + "4847464544434241" + "5857565554535251"
                        // SHA-256 of nothing
                        + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
                        + "14131211" + "2221" + "2625" + "02" + "00" + "cdab"
                        + "3000" + "0100"
                        + "6867666564636261" + "7877767574737271" + "11100f0e0d0c0b0a" + "21201f1e1d1c1b1a"
                        + "24232221" + "34333231" + "47" + "32" + "32" + "31" + "0000" + "0000");
    }

    @Test
    void shouldGiveBackWhatWasPutIn() {
        Random random = new Random(20261121);
        OrderBatchEncoder encoder = new OrderBatchEncoder(30);
        for (int round = 0; round < ROUNDS; round++) {
            List<Order> orders = randomOrders(random, random.nextInt(31));
            long number = random.nextLong();
            encoder.begin(random.nextLong(), 9, 1, SignatureScheme.SM2_SM3, position(number), random.nextLong(), 1);
            orders.forEach(encoder::add);
            int length = encoder.finish();

            assertThat(length).isEqualTo(SignedBatch.batchLength(orders.size()));
            ByteBuffer bytes = ByteBuffer.wrap(encoder.array()).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(bytes.getLong(16)).isEqualTo(number);
            assertThat(ordersOf(bytes)).isEqualTo(orders);
        }
    }

    @Test
    void shouldLeaveNothingOfALongerBatchBefore() {
        Random random = new Random(7);
        List<Order> few = randomOrders(random, 2);
        OrderBatchEncoder used = new OrderBatchEncoder(30);
        encode(used, randomOrders(random, 30));
        OrderBatchEncoder fresh = new OrderBatchEncoder(30);

        assertThat(encode(used, few)).isEqualTo(encode(fresh, few));
    }

    @Test
    void shouldRefuseOneOrderTooMany() {
        OrderBatchEncoder encoder = new OrderBatchEncoder(1);
        encoder.begin(1, 1, 1, SignatureScheme.SM2_SM3, BatchPosition.first(0), 1, 1);
        encoder.add(Order.market(1, 1, 1, Side.BUY, 1));

        assertThatThrownBy(() -> encoder.add(Order.market(2, 1, 1, Side.BUY, 1)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new OrderBatchEncoder(SignedBatch.ORDER_COUNT_LIMIT + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static BatchPosition position(long number) {
        return new BatchPosition(0, number, Digest.ZERO);
    }

    private static byte[] encode(OrderBatchEncoder encoder, List<Order> orders) {
        encoder.begin(1, 2, 3, SignatureScheme.SM2_SM3, position(4), 5, 6, 7);
        orders.forEach(encoder::add);
        return Arrays.copyOf(encoder.array(), encoder.finish());
    }

    private static List<Order> randomOrders(Random random, int count) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            orders.add(new Order(
                    Action.values()[random.nextInt(3)],
                    random.nextLong(),
                    random.nextLong(),
                    random.nextInt(),
                    random.nextInt(),
                    Side.values()[random.nextInt(2)],
                    OrdType.values()[random.nextInt(2)],
                    TimeInForce.values()[random.nextInt(4)],
                    random.nextLong(),
                    random.nextLong()));
        }
        return orders;
    }

    private static List<Order> ordersOf(ByteBuffer bytes) {
        List<Order> orders = new ArrayList<>();
        int count = bytes.getShort(SignedBatch.ORDERS_OFFSET - 2);
        for (int i = 0; i < count; i++) {
            int at = SignedBatch.ORDERS_OFFSET + i * SignedBatch.ORDER_LENGTH;
            orders.add(new Order(
                    Action.get(bytes.get(at + 40)),
                    bytes.getLong(at),
                    bytes.getLong(at + 8),
                    bytes.getInt(at + 32),
                    bytes.getInt(at + 36),
                    Side.get(bytes.get(at + 41)),
                    OrdType.get(bytes.get(at + 42)),
                    TimeInForce.get(bytes.get(at + 43)),
                    bytes.getLong(at + 16),
                    bytes.getLong(at + 24)));
        }
        return orders;
    }
}
