package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bound holds for brokers that do their worst, and is no larger than it must be. */
class MatchingMemoryTest {
    private static final int ENTRIES = 64;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final class NoOutput implements MatchingOutput {
        @Override
        public void onReport(ReportRecord report) {
            // Only the books are of interest.
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            throw new AssertionError("buys do not trade with each other");
        }
    }

    /** Orders at one price take the memory of orders; 64 ticks apart each takes a page besides. */
    @ParameterizedTest
    @CsvSource({"300000, 1, 1", "60000, 64, 3840000", "60000, 3, 180000"})
    void shouldBoundWhatTheLargestBooksAllocate(int orders, int distance, long priceMax) {
        MarketConfig config = new MarketConfig(
                Batch.CHAIN_ID,
                List.of(new InstrumentConfig(1, "WIDE", 0, 1, priceMax, 10, false)),
                List.of(BrokerConfig.of(1)),
                ENTRIES,
                100,
                16,
                0,
                orders);
        Batch[] batches = new Batch[orders / ENTRIES];
        byte[][] encoded = new byte[batches.length][];
        for (int i = 0; i < batches.length; i++) {
            Batch.Request[] requests = new Batch.Request[ENTRIES];
            for (int j = 0; j < ENTRIES; j++) {
                long number = (long) i * ENTRIES + j;
                requests[j] = Batch.limit(
                        number + 1, 1, Side.BUY, 1 + number * distance % priceMax, 1, TimeInForce.GOOD_TILL_CANCEL);
            }
            encoded[i] = Batch.of(1, i + 1, 50, requests).encode();
        }
        UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        NoOutput output = new NoOutput();

        long before = THREADS.getCurrentThreadAllocatedBytes();
        MatchingCore core = new MatchingCore(config);
        core.beginBlock(1, 1, output);
        for (int i = 0; i < encoded.length; i++) {
            buffer.wrap(encoded[i]);
            core.onBatch(i, buffer, 0, encoded[i].length);
        }
        core.endBlock();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(core.liveOrderCount()).isEqualTo(orders / ENTRIES * ENTRIES);
        assertThat(MatchingMemory.bytesMax(config)).isBetween(allocated * 4 / 5, allocated * 2);
    }

    /** 60,000 orders, each on a page of its own, move to other ranks ten times. */
    @Test
    void shouldTakeNoMemoryForOrdersWhenLimitsMove() {
        int batches = 60_000 / ENTRIES;
        MatchingCore core = new MatchingCore(market(60_000, 3_840_000));
        NoOutput output = new NoOutput();
        UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        core.beginBlock(1, 1, output);
        for (int i = 0; i < batches; i++) {
            Batch.Request[] requests = new Batch.Request[ENTRIES];
            for (int j = 0; j < ENTRIES; j++) {
                long number = (long) i * ENTRIES + j;
                requests[j] = Batch.limit(number + 1, 1, Side.BUY, 1 + number * 64, 1, TimeInForce.GOOD_TILL_CANCEL);
            }
            byte[] encoded = Batch.of(1, i + 1, 50, requests).encode();
            buffer.wrap(encoded);
            core.onBatch(i, buffer, 0, encoded.length);
        }
        core.endBlock();

        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int change = 1; change <= 10; change++) {
            core.reconfigure(market(60_000, 3_840_000 + 7 * change));
            core.beginBlock(1 + change, 1, output);
            core.endBlock();
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(core.liveOrderCount()).isEqualTo(batches * ENTRIES);
        assertThat(allocated / 10).as("5 bytes for each page that may exist").isLessThan(2 * 60_000 * 5 + (300 << 10));
    }

    /** A broker with a result in a block takes a run, whether its batch was executed or refused. */
    @Test
    void shouldBoundWhatManyBrokersTakeAndTakeNothingForThoseThatAreSilent() {
        int brokers = 10_000;
        MarketConfig config = market(1_000, 1_000, IntStream.rangeClosed(1, brokers));
        byte[][] encoded = new byte[brokers][];
        for (int i = 0; i < brokers; i++) {
            encoded[i] = Batch.of(i + 1, 1, 50, Batch.limit(1, 1, Side.BUY, 9, 0, TimeInForce.GOOD_TILL_CANCEL))
                    .encode();
        }
        UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        NoOutput output = new NoOutput();

        long before = THREADS.getCurrentThreadAllocatedBytes();
        MatchingCore core = new MatchingCore(config);
        core.beginBlock(1, 1, output);
        core.endBlock();
        long silent = THREADS.getCurrentThreadAllocatedBytes() - before;
        core.beginBlock(2, 1, output);
        for (int i = 0; i < brokers; i++) {
            buffer.wrap(encoded[i]);
            core.onBatch(i, buffer, 0, encoded[i].length);
        }
        core.endBlock();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(core.reportCount()).isEqualTo(brokers);
        assertThat(MatchingMemory.bytesMax(config)).isBetween(allocated, allocated * 3 / 2);
        assertThat(silent).isLessThan(24 << 20);
    }

    @Test
    void shouldKeepTheDirectoryOfPagesWhenNoPriceChanges() {
        MatchingCore core = new MatchingCore(market(1_000, InstrumentConfig.PRICE_COUNT_MAX));

        long before = THREADS.getCurrentThreadAllocatedBytes();
        core.reconfigure(market(1_000, InstrumentConfig.PRICE_COUNT_MAX, IntStream.rangeClosed(1, 2)));
        core.beginBlock(1, 1, new NoOutput());
        core.endBlock();

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    /** Two at a time: the next one is filled from the present one. */
    @Test
    void shouldBoundWhatTheDirectoriesOfPagesTakeWhenAPriceChanges() {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MatchingCore core = new MatchingCore(market(1_000, InstrumentConfig.PRICE_COUNT_MAX - 100));
        MarketConfig next = market(1_000, InstrumentConfig.PRICE_COUNT_MAX);
        core.reconfigure(next);
        core.beginBlock(1, 1, new NoOutput());
        core.endBlock();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(MatchingMemory.bytesMax(next) - 1_000 * 1_600);
    }

    @Test
    void shouldGrowWithOrdersAndNotBeyondThePagesThatThereAre() {
        assertThat(MatchingMemory.bytesMax(market(1_000_000, 200_000))).isBetween(90_000_000L, 105_000_000L);
        assertThat(MatchingMemory.bytesMax(market(1_000_000, InstrumentConfig.PRICE_COUNT_MAX)))
                .isBetween(1_600_000_000L, 1_800_000_000L);
    }

    private static MarketConfig market(int orders, long priceMax) {
        return market(orders, priceMax, IntStream.of(1));
    }

    private static MarketConfig market(int orders, long priceMax, IntStream brokers) {
        return new MarketConfig(
                Batch.CHAIN_ID,
                List.of(new InstrumentConfig(1, "I", 0, 1, priceMax, 10, false)),
                brokers.mapToObj(BrokerConfig::of).toList(),
                ENTRIES,
                100,
                16,
                0,
                orders);
    }
}
