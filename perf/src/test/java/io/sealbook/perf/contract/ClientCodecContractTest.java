package io.sealbook.perf.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Design section 2: the client SDK's ByteBuffer codecs and the generated flyweights write and read the same bytes. */
class ClientCodecContractTest {
    private static final long SEED = 20261121;
    private static final int ROUNDS = 1_000;
    private static final int ORDER_COUNT_MAX = 40;

    private final Random random = new Random(SEED);

    @Test
    void shouldEncodeBatchesToTheSameBytes() {
        OrderBatchEncoder client = new OrderBatchEncoder(ORDER_COUNT_MAX);
        io.sealbook.protocol.sbe.OrderBatchEncoder flyweight = new io.sealbook.protocol.sbe.OrderBatchEncoder();
        for (int round = 0; round < ROUNDS; round++) {
            long chainId = random.nextLong();
            int brokerId = random.nextInt();
            int keyId = random.nextInt(1 << 16);
            SignatureScheme scheme = SignatureScheme.values()[random.nextInt(2)];
            BatchPosition position = new BatchPosition(
                    random.nextInt(1 << 16), random.nextLong() | 1, Digest.sha256(new byte[] {(byte) round}));
            long validUntil = random.nextLong();
            long sentTime = random.nextLong();
            int timeToLive = random.nextInt(1 << 16);
            List<Order> orders = randomOrders(random.nextInt(ORDER_COUNT_MAX + 1));

            client.begin(chainId, brokerId, keyId, scheme, position, validUntil, sentTime, timeToLive);
            orders.forEach(client::add);
            byte[] ours = Arrays.copyOf(client.array(), client.finish());

            byte[] theirs = new byte[SignedBatch.batchLength(orders.size())];
            flyweight
                    .wrapAndApplyHeader(new UnsafeBuffer(theirs), 0, new MessageHeaderEncoder())
                    .chainId(chainId)
                    .number(position.number())
                    .validUntilBlock(validUntil)
                    .sentTimeNs(sentTime)
                    .brokerId(Integer.toUnsignedLong(brokerId))
                    .keyId(keyId)
                    .session(position.session())
                    .putPrevious(position.previous().bytes(), 0, Digest.LENGTH)
                    .scheme(Scheme.get((short) scheme.code()))
                    .timeToLive(timeToLive);
            OrdersEncoder group = flyweight.ordersCount(orders.size());
            orders.forEach(order -> put(group.next(), order));

            assertThat(ours).as("round %d", round).isEqualTo(theirs);
        }
    }

    @Test
    void shouldDecodeReportsToTheSameValues() {
        byte[] bytes = new byte[ExecutionReportDecoder.HEADER_LENGTH + ExecutionReportEncoder.BLOCK_LENGTH];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        ExecutionReportEncoder flyweight = new ExecutionReportEncoder();
        for (int round = 0; round < ROUNDS; round++) {
            ExecutionReport report = randomReport();
            flyweight.wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder());
            put(flyweight, report);

            assertThat(ExecutionReportDecoder.decode(buffer, 0))
                    .as("round %d", round)
                    .isEqualTo(report);
            assertThat(ExecutionReportDecoder.length(buffer, 0)).isEqualTo(bytes.length);
        }
    }

    private static void put(OrdersEncoder group, Order order) {
        group.clOrdId(order.clOrdId())
                .origClOrdId(order.origClOrdId())
                .price(order.price())
                .quantity(order.quantity())
                .accountId(Integer.toUnsignedLong(order.accountId()))
                .instrumentId(Integer.toUnsignedLong(order.instrumentId()))
                .action(order.action())
                .side(order.side())
                .ordType(order.ordType())
                .timeInForce(order.timeInForce())
                .flags(0)
                .reserved(0);
    }

    private static void put(ExecutionReportEncoder encoder, ExecutionReport report) {
        encoder.reportSequence(report.reportSequence())
                .blockSequence(report.blockSequence())
                .orderId(report.orderId())
                .execId(report.execId())
                .tradeId(report.tradeId())
                .clOrdId(report.clOrdId())
                .origClOrdId(report.origClOrdId())
                .price(report.price())
                .quantity(report.quantity())
                .lastPx(report.lastPx())
                .lastQty(report.lastQty())
                .leavesQty(report.leavesQty())
                .cumQty(report.cumQty())
                .cumValue(report.cumValue())
                .transactTimeNs(report.transactTimeNs())
                .brokerId(Integer.toUnsignedLong(report.brokerId()))
                .accountId(Integer.toUnsignedLong(report.accountId()))
                .instrumentId(Integer.toUnsignedLong(report.instrumentId()))
                .batchIndex(Integer.toUnsignedLong(report.batchIndex()))
                .orderIndex(report.orderIndex())
                .action(report.action())
                .side(report.side())
                .ordType(report.ordType())
                .timeInForce(report.timeInForce())
                .execType(report.execType())
                .ordStatus(report.ordStatus())
                .rejectReason(report.rejectReason());
    }

    private List<Order> randomOrders(int count) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            orders.add(new Order(
                    any(Action.values()),
                    random.nextLong(),
                    random.nextLong(),
                    random.nextInt(),
                    random.nextInt(),
                    any(Side.values()),
                    any(OrdType.values()),
                    any(TimeInForce.values()),
                    random.nextLong(),
                    random.nextLong()));
        }
        return orders;
    }

    private ExecutionReport randomReport() {
        return ExecutionReport.builder()
                .reportSequence(random.nextLong())
                .blockSequence(random.nextLong())
                .orderId(random.nextLong())
                .execId(random.nextLong())
                .tradeId(random.nextLong())
                .clOrdId(random.nextLong())
                .origClOrdId(random.nextLong())
                .price(random.nextLong())
                .quantity(random.nextLong())
                .lastPx(random.nextLong())
                .lastQty(random.nextLong())
                .leavesQty(random.nextLong())
                .cumQty(random.nextLong())
                .cumValue(random.nextLong())
                .transactTimeNs(random.nextLong())
                .brokerId(random.nextInt())
                .accountId(random.nextInt())
                .instrumentId(random.nextInt())
                .batchIndex(random.nextInt())
                .orderIndex(random.nextInt(1 << 16))
                .action(any(Action.values()))
                .side(any(Side.values()))
                .ordType(any(OrdType.values()))
                .timeInForce(any(TimeInForce.values()))
                .execType(any(ExecType.values()))
                .ordStatus(any(OrdStatus.values()))
                .rejectReason(any(RejectReason.values()))
                .build();
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
