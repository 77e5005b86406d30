package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.cancelAfter;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.massCancel;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.vocabulary.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A broker that sends faster than it may is refused what is beyond, and costs the others nothing. */
class RateQuotaTest {
    private static final int GOOG = Markets.GOOG;
    private static final long SECOND_NS = CoreDriver.SECOND_NS;
    private static final long START_NS = CoreDriver.GENESIS_TIME_NS;
    private static final int GREEDY = 1;
    private static final int POLITE = 2;

    private CoreDriver exchange = new CoreDriver(market(new RateQuota(10, 0)));
    private long number;

    private static MarketConfig market(RateQuota greedy) {
        return MarketConfig.of(
                Batch.CHAIN_ID,
                Markets.two().instruments(),
                List.of(
                        new BrokerConfig(GREEDY, AccountRanges.ALL, 1_000, BrokerStatus.ACTIVE, BrokerKeys.ALL, greedy),
                        new BrokerConfig(POLITE, AccountRanges.ALL, 1_000)),
                64,
                100);
    }

    private Batch batch(int brokerId, Batch.Request... requests) {
        return Batch.of(brokerId, ++number, exchange.core.lastSequence() + 1, requests);
    }

    /** As many bids as asked for, with ClOrdIDs from a first one on. */
    private Batch bids(long first, int count) {
        return batch(
                GREEDY, IntStream.range(0, count).mapToObj(i -> bid(first + i)).toArray(Batch.Request[]::new));
    }

    private static Batch.Request bid(long clOrdId) {
        return limit(clOrdId, GOOG, BUY, 100, 5);
    }

    /** Uses ten seconds of the quota up, in several batches of one block. */
    private void useUp() {
        assertThat(exchange.block(START_NS, bids(1, 64), bids(65, 36)))
                .hasSize(100)
                .allMatch(r -> r.contains(" NEW "));
    }

    @Test
    void shouldRefuseABatchBeyondTheRateAsAWhole() {
        useUp();

        assertThat(exchange.block(START_NS, bids(101, 1))).containsExactly("b1 #101 REJECTED RATE_QUOTA");
        assertThat(exchange.block(START_NS + SECOND_NS, bids(102, 11), batch(POLITE, limit(1, GOOG, SELL, 200, 5))))
                .hasSize(12)
                .filteredOn(report -> report.endsWith("RATE_QUOTA"))
                .hasSize(11);
        assertThat(exchange.block(START_NS + SECOND_NS, bids(120, 10)))
                .as("what was refused was not charged")
                .allMatch(report -> report.contains(" NEW "));
        assertThat(exchange.core.lastNumber(GREEDY, 0))
                .as("a refused batch uses its number up")
                .isEqualTo(number);
    }

    @Test
    void shouldCarryOutEveryKindOfCancelBeyondTheRate() {
        useUp();

        assertThat(exchange.block(
                        START_NS,
                        batch(
                                GREEDY,
                                cancel(201, 1, GOOG),
                                replace(202, 2, GOOG, BUY, 99, 5),
                                bid(203),
                                cancelAfter(204, 100))))
                .containsExactly(
                        "b1 #201 CANCELED leaves 0",
                        "b1 #202 CANCEL_REJECT RATE_QUOTA",
                        "b1 #203 REJECTED RATE_QUOTA",
                        "b1 #204 MASS_CANCEL_REPORT leaves 100");
        assertThat(exchange.block(START_NS, batch(GREEDY, massCancel(205, 0)))).hasSize(100);
        assertThat(exchange.core.liveOrderCount(GREEDY)).isZero();
    }

    /** A program that is refused for its rate lives: its orders stay as long as it says. */
    @Test
    void shouldTakeARefusedBatchAsASignOfLife() {
        exchange.block(START_NS, batch(GREEDY, cancelAfter(1, 100)));
        useUp();
        exchange.block(START_NS + SECOND_NS / 2, bids(101, 20));

        exchange.block(START_NS + SECOND_NS / 2 + SECOND_NS);
        assertThat(exchange.core.liveOrderCount(GREEDY)).isEqualTo(100);
        exchange.block(START_NS + SECOND_NS / 2 + SECOND_NS + 1);
        assertThat(exchange.core.liveOrderCount(GREEDY)).isZero();
    }

    @Test
    void shouldNotChargeWhatIsRefusedForAnotherReason() {
        Batch late = bids(1, 64).sentAt(START_NS - SECOND_NS, 10);
        assertThat(exchange.block(START_NS, late, late)).hasSize(128);
        exchange.core.reconfigure(withStatus(BrokerStatus.SUSPENDED));
        assertThat(exchange.block(START_NS, bids(1, 64))).allMatch(report -> report.endsWith("BROKER_SUSPENDED"));
        exchange.core.reconfigure(market(new RateQuota(10, 0)));

        useUp();
    }

    private static MarketConfig withStatus(BrokerStatus status) {
        MarketConfig market = market(new RateQuota(10, 0));
        BrokerConfig one = market.brokers().getFirst();
        return MarketConfig.of(
                Batch.CHAIN_ID,
                market.instruments(),
                List.of(
                        new BrokerConfig(
                                GREEDY, one.accounts(), one.liveOrderCountMax(), status, one.keys(), one.rates()),
                        market.brokers().get(1)),
                64,
                100);
    }

    @Test
    void shouldCountTheBytesOfABatchWithItsSignature() {
        // 153 + 48 bytes: ten seconds hold one batch of one order, and not two.
        exchange = new CoreDriver(market(new RateQuota(0, 40)));

        assertThat(exchange.block(START_NS, bids(1, 1), bids(2, 1)))
                .containsExactly("b1 #1 NEW leaves 5", "b1 #2 REJECTED RATE_QUOTA");
        exchange = new CoreDriver(market(new RateQuota(0, 41)));
        assertThat(exchange.block(START_NS, bids(1, 1), bids(2, 1)))
                .as("2 x 201 bytes within 410")
                .containsExactly("b1 #1 NEW leaves 5", "b1 #2 NEW leaves 5");
    }

    @Test
    void shouldChangeARateFromTheNextBlockOnAndKeepWhatWasUsed() {
        useUp();
        exchange.core.reconfigure(market(RateQuota.NONE));
        assertThat(exchange.block(START_NS, bids(101, 64))).allMatch(report -> report.contains(" NEW "));
        exchange.core.reconfigure(market(new RateQuota(1_000, 0)));

        assertThat(exchange.block(START_NS, bids(201, 1)))
                .as("the quota of ten seconds is used, whatever it is now")
                .containsExactly("b1 #201 REJECTED RATE_QUOTA");
        assertThat(exchange.block(START_NS + SECOND_NS, bids(301, 64))).allMatch(report -> report.contains(" NEW "));
    }

    @Test
    void shouldCountOnFromASnapshot() throws IOException {
        useUp();
        exchange.block(START_NS + SECOND_NS / 2);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        exchange.core.writeSnapshot(out);
        CoreDriver restarted = new CoreDriver(
                MatchingCore.readSnapshot(exchange.core.config(), new ByteArrayInputStream(out.toByteArray())));
        assertThat(restarted.core.stateDigest()).isEqualTo(exchange.core.stateDigest());

        exchange = restarted;
        assertThat(exchange.block(START_NS + SECOND_NS / 2, bids(101, 6), bids(110, 5), bids(120, 1)))
                .filteredOn(report -> report.endsWith("RATE_QUOTA"))
                .hasSize(7);
    }

    /** Ten times its rate for a minute: the others have the reports that they have beside a broker that keeps to it. */
    @Test
    void shouldCostOthersNothing() {
        List<String> beside = new ArrayList<>();
        List<Batch> executed = new ArrayList<>();
        long refused = 0;
        for (int tenth = 0; tenth < 600; tenth++) {
            long timeNs = START_NS + tenth * SECOND_NS / 10;
            Batch[] batches = new Batch[11];
            for (int i = 0; i < 10; i++) {
                batches[i] = bids(1_000 + tenth * 10L + i, 1);
            }
            batches[10] = batch(POLITE, limit(1 + tenth, GOOG, SELL, 100, 1));
            exchange.block(timeNs, batches);
            List<Report> reports = exchange.reports.subList(exchange.blockFirstReport, exchange.reports.size());
            for (int i = 0; i < 10; i++) {
                int index = i;
                boolean isRefused = reports.stream()
                        .anyMatch(report ->
                                report.batchIndex() == index && report.rejectReason() == RejectReason.RATE_QUOTA);
                refused += isRefused ? 1 : 0;
                executed.add(isRefused ? null : batches[i]);
            }
            executed.add(batches[10]);
            reports.stream()
                    .filter(report -> report.brokerId() == POLITE)
                    .map(Report::brief)
                    .forEach(beside::add);
        }
        assertThat(6_000 - refused).as("ten seconds at once, then the rate").isBetween(690L, 700L);

        CoreDriver other = new CoreDriver(market(RateQuota.NONE));
        List<String> without = new ArrayList<>();
        for (int tenth = 0; tenth < 600; tenth++) {
            Batch[] within = executed.subList(tenth * 11, tenth * 11 + 11).stream()
                    .filter(batch -> batch != null)
                    .toArray(Batch[]::new);
            other.block(START_NS + tenth * SECOND_NS / 10, within);
            other.reports.subList(other.blockFirstReport, other.reports.size()).stream()
                    .filter(report -> report.brokerId() == POLITE)
                    .map(Report::brief)
                    .forEach(without::add);
        }
        assertThat(beside).isEqualTo(without);
        assertThat(beside).anyMatch(report -> report.contains("TRADE"));
    }

    @Test
    void shouldHaveTheDigestsOfBeforeWithoutRates() {
        MarketConfig market = market(RateQuota.NONE);

        assertThat(Digest.of(ConfigDigest.of(market)).hex())
                .isEqualTo("9fd56330f839f6ea4ab4814c270688198bdaa0755ae9a5caf47827df383cc7b9");
        assertThat(ConfigDigest.of(market(new RateQuota(1, 0)))).isNotEqualTo(ConfigDigest.of(market));
        assertThat(ConfigDigest.of(market(new RateQuota(1, 0))))
                .isNotEqualTo(ConfigDigest.of(market(new RateQuota(0, 1))));
        assertThat(ConfigDigest.of(market(new RateQuota(0, 1))))
                .isNotEqualTo(ConfigDigest.of(market(new RateQuota(0, 2))));
        assertThat(ConfigDigest.of(market(new RateQuota(1, 0))))
                .isNotEqualTo(ConfigDigest.of(market(new RateQuota(2, 0))));
    }
}
