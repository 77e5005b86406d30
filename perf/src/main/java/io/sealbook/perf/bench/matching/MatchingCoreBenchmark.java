package io.sealbook.perf.bench.matching;

import io.sealbook.matching.BrokerConfig;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.perf.flow.FlowCommand.Kind;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole core. One operation is one entry of a batch from its SBE bytes to its reports and trades, encoded and
 * hashed into the result digest; 30 entries a batch, 50 batches a block. Every call goes through the first 40,000
 * messages of the flow from empty books and checks every trade. The orders of a call expire before the next one,
 * because a new trading day begins.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class MatchingCoreBenchmark implements MatchingOutput {
    private static final int ENTRIES_A_BATCH = 30;
    private static final int BATCHES_A_BLOCK = 50;
    private static final long CHAIN_ID = 7;
    private static final int BROKER = 1;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int NUMBER_OFFSET = SignedBatch.MESSAGE_HEADER_LENGTH + 8;
    private static final int VALID_UNTIL_OFFSET = SignedBatch.MESSAGE_HEADER_LENGTH + 16;

    @Param({MessageSource.SAMPLE, MessageSource.SHANGHAI, MessageSource.NASDAQ, MessageSource.BOOKS_2000})
    public String flow;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TradeDecoder trade = new TradeDecoder();
    private UnsafeBuffer[] batches;
    private MatchingCore core;
    private long expected;
    private long checksum;
    private long dayNs;
    private long number;

    @Setup
    public void load() throws IOException {
        Messages messages = MessageSource.named(flow, OrderBookBenchmark.MESSAGES);
        expected = TradeChecksum.expected(messages);
        batches = new UnsafeBuffer[(messages.count() + ENTRIES_A_BATCH - 1) / ENTRIES_A_BATCH];
        for (int i = 0; i < batches.length; i++) {
            int first = i * ENTRIES_A_BATCH;
            batches[i] = encode(messages, first, Math.min(messages.count(), first + ENTRIES_A_BATCH));
        }
        core = new MatchingCore(MarketConfig.of(
                CHAIN_ID, messages.instruments, List.of(BrokerConfig.of(BROKER)), ENTRIES_A_BATCH, 100));
    }

    @Setup(Level.Invocation)
    public void beginDay() {
        dayNs += DAY_NS;
        core.beginBlock(core.lastSequence() + 1, dayNs, this);
        core.endBlock();
        long validUntil = core.lastSequence() + 1 + batches.length / BATCHES_A_BLOCK;
        for (UnsafeBuffer batch : batches) {
            batch.putLong(NUMBER_OFFSET, ++number);
            batch.putLong(VALID_UNTIL_OFFSET, validUntil);
        }
        checksum = 0;
    }

    @Benchmark
    @OperationsPerInvocation(OrderBookBenchmark.MESSAGES)
    public long execute() {
        for (int from = 0; from < batches.length; from += BATCHES_A_BLOCK) {
            int to = Math.min(batches.length, from + BATCHES_A_BLOCK);
            core.beginBlock(core.lastSequence() + 1, dayNs, this);
            for (int i = from; i < to; i++) {
                core.onBatch(i - from, batches[i], 0, batches[i].capacity());
            }
            core.endBlock();
        }
        if (checksum != expected) {
            throw new IllegalStateException("trades have the checksum " + checksum + ", expected " + expected);
        }
        return checksum;
    }

    @Override
    public void onReport(ReportRecord report) {
        // Encoding and hashing are measured; a sender would copy the bytes here.
    }

    @Override
    public void onTrade(DirectBuffer buffer, int offset, int length) {
        trade.wrapAndApplyHeader(buffer, offset, header);
        boolean isBuyAggressor = trade.aggressorSideRaw() == '1';
        long maker = isBuyAggressor ? trade.sellClOrdId() : trade.buyClOrdId();
        checksum = TradeChecksum.add(checksum, maker, trade.price(), trade.quantity());
    }

    private static UnsafeBuffer encode(Messages m, int from, int to) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.batchLength(to - from)]);
        OrdersEncoder orders = new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .chainId(CHAIN_ID)
                .number(0)
                .validUntilBlock(0)
                .sentTimeNs(0)
                .brokerId(BROKER)
                .keyId(0)
                .scheme(Scheme.SM2_SM3)
                .ordersCount(to - from);
        for (int i = from; i < to; i++) {
            orders.next()
                    .clOrdId(m.id[i])
                    .origClOrdId(m.originalId[i])
                    .price(m.price[i])
                    .quantity(m.quantity[i])
                    .accountId(1)
                    .instrumentId(m.instruments.get(m.book[i]).instrumentId())
                    .action(action(m.kind[i]))
                    .side(m.isBuy[i] ? Side.BUY : Side.SELL)
                    .ordType(m.kind[i] == Kind.MARKET ? OrdType.MARKET : OrdType.LIMIT)
                    .timeInForce(timeInForce(m.kind[i]))
                    .flags(0)
                    .reserved(0);
        }
        return buffer;
    }

    private static Action action(Kind kind) {
        return switch (kind) {
            case CANCEL -> Action.CANCEL;
            case REPLACE -> Action.REPLACE;
            default -> Action.NEW;
        };
    }

    private static TimeInForce timeInForce(Kind kind) {
        return switch (kind) {
            case IMMEDIATE_OR_CANCEL -> TimeInForce.IMMEDIATE_OR_CANCEL;
            case FILL_OR_KILL -> TimeInForce.FILL_OR_KILL;
            default -> TimeInForce.DAY;
        };
    }
}
