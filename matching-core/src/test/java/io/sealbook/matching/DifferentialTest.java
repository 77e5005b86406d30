package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The core and the plain reference must give the same reports and trades, field by field, on every seed. */
class DifferentialTest {
    private static final int BLOCKS = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void shouldGiveTheOutputsOfTheReference(long seed) {
        compare(Markets.two(), new RandomFlow(seed, 2, 95, 12));
    }

    /** Ranks far apart make every layer of the occupancy bits take part. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void shouldGiveTheOutputsOfTheReferenceOverAWideRange(long seed) {
        compare(Markets.many(3, 20_000_000), new RandomFlow(seed, 3, 1, 19_999_998));
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32})
    void shouldGiveTheOutputsOfTheReferenceWithManyInstruments(long seed) {
        compare(Markets.many(200, 300), new RandomFlow(seed, 200, 100, 4));
    }

    @ParameterizedTest
    @ValueSource(longs = {41, 42})
    void shouldGiveTheOutputsOfTheReferenceWhenTheBookIsFull(long seed) {
        MarketConfig two = Markets.two();
        MarketConfig small = new MarketConfig(two.chainId(), two.instruments(), two.brokers(), 64, 100, 16, 0, 50);
        compare(small, new RandomFlow(seed, 2, 95, 12));
    }

    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53, 54})
    void shouldGiveTheOutputsOfTheReferenceWhenBrokersReachTheirQuotas(long seed) {
        MarketConfig two = Markets.two();
        List<BrokerConfig> brokers = List.of(
                new BrokerConfig(1, AccountRanges.ALL, 12),
                new BrokerConfig(2, AccountRanges.of(9), 5),
                new BrokerConfig(3, AccountRanges.ALL, 40));
        MarketConfig small = new MarketConfig(two.chainId(), two.instruments(), brokers, 64, 100, 16, 0, 50);
        CoreDriver driver = compare(small, new RandomFlow(seed, 2, 95, 12));
        for (RejectReason reason : List.of(RejectReason.LIVE_ORDER_QUOTA, RejectReason.UNKNOWN_ACCOUNT)) {
            assertThat(driver.reports).anyMatch(report -> report.rejectReason() == reason);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73, 74})
    void shouldGiveTheOutputsOfTheReferenceWhenBrokersReachTheirRates(long seed) {
        MarketConfig two = Markets.two();
        List<BrokerConfig> brokers = List.of(
                rated(1, new RateQuota(2, 0)), rated(2, new RateQuota(0, 150)), rated(3, new RateQuota(3, 170)));
        MarketConfig limited = new MarketConfig(two.chainId(), two.instruments(), brokers, 64, 100, 16, 0, 5_000);
        CoreDriver driver = compare(limited, new RandomFlow(seed, 2, 95, 12).withRequests());
        assertThat(driver.reports.stream()
                        .filter(report -> report.rejectReason() == RejectReason.RATE_QUOTA)
                        .map(Report::brokerId)
                        .distinct())
                .containsExactlyInAnyOrder(1, 2, 3);
    }

    private static BrokerConfig rated(int brokerId, RateQuota rates) {
        return new BrokerConfig(brokerId, AccountRanges.ALL, 5_000, BrokerStatus.ACTIVE, BrokerKeys.ALL, rates);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 62, 63, 64, 65, 66, 67, 68})
    void shouldGiveTheOutputsOfTheReferenceWithMassCancelsAndCancelsOnDisconnect(long seed) {
        CoreDriver driver = compare(Markets.two(), new RandomFlow(seed, 2, 95, 12).withRequests());
        for (RejectReason reason : List.of(RejectReason.MASS_CANCEL, RejectReason.CANCEL_AFTER)) {
            assertThat(driver.reports)
                    .anyMatch(report -> report.rejectReason() == reason && report.execType() == ExecType.CANCELED);
        }
        assertThat(driver.reports)
                .anyMatch(
                        report -> report.action() == Action.MASS_CANCEL && report.execType() == ExecType.CANCEL_REJECT)
                .anyMatch(report -> report.action() == Action.CANCEL_AFTER && report.ordStatus() == OrdStatus.NEW);
    }

    private static CoreDriver compare(MarketConfig config, RandomFlow flow) {
        CoreDriver driver = new CoreDriver(new MatchingCore(config, 5, 0));
        ReferenceMarket reference = new ReferenceMarket(config);
        FixInvariants invariants = new FixInvariants();
        for (int block = 1; block <= BLOCKS; block++) {
            RandomFlow.Block next = flow.next();
            int before = driver.outputs.size();

            driver.block(next.timeNs(), next.batches());
            List<Object> expected = reference.block(next.timeNs(), next.batches());

            List<Object> actual = new ArrayList<>(driver.outputs.subList(before, driver.outputs.size()));
            for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
                assertThat(actual.get(i)).as("block " + block + ", output " + i).isEqualTo(expected.get(i));
            }
            assertThat(actual).as("block " + block).hasSameSizeAs(expected);
            invariants.check(actual);
            for (InstrumentConfig instrument : config.instruments()) {
                int id = instrument.instrumentId();
                assertThat(driver.bids(id)).isEqualTo(reference.depth(id, Side.BUY));
                assertThat(driver.asks(id)).isEqualTo(reference.depth(id, Side.SELL));
                assertThat(driver.orderCounts(id)).isEqualTo(reference.orderCounts(id));
            }
        }
        assertThat(driver.trades).hasSizeGreaterThan(BLOCKS / 4);
        return driver;
    }
}
