package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random flows under configurations that change at random: core, reference and restored cores agree. */
class ReconfigurationFlowTest {
    private static final int BLOCKS = 400;
    private static final Set<RejectReason> NEW_REASONS =
            EnumSet.range(RejectReason.KEY_NOT_IN_EFFECT, RejectReason.OUTSIDE_LIMITS);

    static {
        NEW_REASONS.add(RejectReason.RATE_QUOTA);
    }

    private final List<RejectReason> seen = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveTheOutputsOfTheReferenceAndGoOnAlikeFromSnapshots(long seed) throws IOException {
        run(seed, 95, 12);
    }

    /** Ranks move by more than a page, and over the edges of pages. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void shouldGiveTheOutputsOfTheReferenceAndGoOnAlikeOverAWideRange(long seed) throws IOException {
        run(seed, 1_000_000, 700);
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33, 34})
    void shouldGiveTheOutputsOfTheReferenceAndGoOnAlikeWithMassCancels(long seed) throws IOException {
        run(seed, 95, 12, new RandomFlow(seed, 5, 95, 12, 6, 2).withRequests());
    }

    /** Orders move to other ranks, leave and end while a pass is among them. */
    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43, 44})
    void shouldGoOnAlikeFromSnapshotsInTheMiddleOfAPass(long seed) throws IOException {
        int visitsMax = 3;
        MarketConfig config = market(95, 12);
        CoreDriver straight = new CoreDriver(new MatchingCore(config, seed, 0, visitsMax));
        CoreDriver restarted = new CoreDriver(new MatchingCore(config, seed, 0, visitsMax));
        RandomFlow flow = new RandomFlow(seed, 5, 95, 12, 6, 2).withRequests();
        RandomTerms terms = new RandomTerms(seed, config, 95, 12);
        SplittableRandom random = new SplittableRandom(seed);
        for (int block = 1; block <= BLOCKS; block++) {
            byte[] bytes = write(restarted.core);
            assertThat(restarted.core.stateDigest()).isEqualTo(straight.core.stateDigest());
            restarted = new CoreDriver(
                    MatchingCore.readSnapshot(config, new ByteArrayInputStream(bytes), random.nextLong(), visitsMax));
            if (random.nextInt(6) == 0) {
                config = terms.next(block);
                straight.core.reconfigure(config);
                restarted.core.reconfigure(config);
            }
            RandomFlow.Block next = flow.next();
            straight.block(next.timeNs(), next.batches());
            restarted.block(next.timeNs(), next.batches());
            assertThat(restarted.digest()).as("block " + block).isEqualTo(straight.digest());
        }
        new FixInvariants().check(straight.outputs);
        assertThat(straight.reports)
                .anyMatch(report -> report.action() == Action.MASS_CANCEL && report.batchIndex() == 0xFFFF_FFFFL);
    }

    private void run(long seed, long priceLow, int priceSpan) throws IOException {
        run(seed, priceLow, priceSpan, new RandomFlow(seed, 5, priceLow, priceSpan, 6, 2));
    }

    private void run(long seed, long priceLow, int priceSpan, RandomFlow flow) throws IOException {
        MarketConfig first = market(priceLow, priceSpan);
        CoreDriver straight = new CoreDriver(new MatchingCore(first, seed, 0));
        CoreDriver restarted = new CoreDriver(first);
        ReferenceMarket reference = new ReferenceMarket(first);
        FixInvariants invariants = new FixInvariants();
        RandomTerms terms = new RandomTerms(seed, first, priceLow, priceSpan);
        SplittableRandom random = new SplittableRandom(seed);
        MarketConfig config = first;
        for (int block = 1; block <= BLOCKS; block++) {
            if (random.nextInt(4) == 0) {
                byte[] bytes = write(restarted.core);
                assertThat(restarted.core.stateDigest()).isEqualTo(straight.core.stateDigest());
                restarted = new CoreDriver(
                        MatchingCore.readSnapshot(config, new ByteArrayInputStream(bytes), random.nextLong()));
            }
            if (random.nextInt(6) == 0) {
                config = terms.next(block);
                straight.core.reconfigure(config);
                restarted.core.reconfigure(config);
                reference.reconfigure(config);
            }
            RandomFlow.Block next = flow.next();
            int before = straight.outputs.size();

            straight.block(next.timeNs(), next.batches());
            restarted.block(next.timeNs(), next.batches());
            List<Object> expected = reference.block(next.timeNs(), next.batches());

            List<Object> actual = straight.outputs.subList(before, straight.outputs.size());
            assertThat(actual).as("block " + block).isEqualTo(expected);
            invariants.check(new ArrayList<>(actual));
            assertThat(restarted.blockBytes.toByteArray()).isEqualTo(straight.blockBytes.toByteArray());
            assertThat(restarted.digest()).as("block " + block).isEqualTo(straight.digest());
            for (InstrumentConfig instrument : config.instruments()) {
                int id = instrument.instrumentId();
                assertThat(straight.bids(id)).isEqualTo(reference.depth(id, Side.BUY));
                assertThat(straight.asks(id)).isEqualTo(reference.depth(id, Side.SELL));
                assertThat(straight.orderCounts(id)).isEqualTo(reference.orderCounts(id));
            }
        }
        straight.reports.forEach(report -> seen.add(report.rejectReason()));
        assertThat(seen).containsAll(NEW_REASONS);
        assertThat(straight.trades).hasSizeGreaterThan(BLOCKS / 4);
    }

    private static MarketConfig market(long priceLow, int priceSpan) {
        return MarketConfig.of(
                Batch.CHAIN_ID,
                List.of(
                        new InstrumentConfig(1, "A", 2, priceLow, priceLow + priceSpan, 1_000, true),
                        new InstrumentConfig(2, "B", 2, priceLow - 64, priceLow + 64L * 70, 1_000, false)),
                List.of(BrokerConfig.of(1), BrokerConfig.of(2), BrokerConfig.of(3)),
                64,
                100);
    }

    private static byte[] write(MatchingCore core) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        core.writeSnapshot(out);
        return out.toByteArray();
    }
}
