package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.FairOrder.Verdict;
import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The order by median times of arrival (Zhang et al., Pompē, OSDI 2020, section 4): four replicas, of which one may lie
 * and three make a quorum. {@code NEVER} is no report.
 */
class FairOrderTest {
    private static final int REPLICAS = 4;
    private static final int BLOCK = 100;
    private static final long NEVER = -1;

    private final Quorum quorum = Quorum.of(REPLICAS);
    private final SessionTable table = new SessionTable(0, REPLICAS, quorum.size());
    private final ArrivalTimes times = new ArrivalTimes(REPLICAS);
    private final FairOrder order = new FairOrder(quorum, table, times);

    private static Digest id(int broker, long number) {
        return number == 0 ? Digest.ZERO : Digest.sha256((broker + " " + number).getBytes(StandardCharsets.UTF_8));
    }

    private static SessionEnd batch(int broker, long number) {
        return new SessionEnd(SessionKey.of(broker, 0), number, id(broker, number));
    }

    /** A batch that is held here, and what each replica reports. */
    private SessionEnd held(int broker, long number, long... reports) {
        SessionEnd batch = batch(broker, number);
        table.hold(batch, id(broker, number - 1), 0);
        report(batch, reports);
        return batch;
    }

    private void report(SessionEnd batch, long... reports) {
        for (int replica = 0; replica < reports.length; replica++) {
            if (reports[replica] != NEVER) {
                table.acknowledge(replica, batch, 0);
                times.add(replica, new Arrival(batch, reports[replica]));
            }
        }
    }

    private Verdict judge(SessionEnd... ends) {
        return order.judge(List.of(), List.of(ends));
    }

    // What a primary takes.

    @Test
    void shouldTakeBatchesByTheMedianOfAQuorum() {
        SessionEnd late = held(1, 1, 20, 21, 22);
        SessionEnd early = held(2, 1, 10, 12, 11);

        assertThat(order.take(BLOCK)).containsExactly(early, late);
    }

    @Test
    void shouldLetNoLiarMoveABatchBeyondWhatCorrectReplicasSaw() {
        SessionEnd pulled = held(1, 1, 20, 21, 0);
        SessionEnd between = held(2, 1, 15, 16, 17);
        SessionEnd pushed = held(3, 1, 9, 10, 1_000_000);

        assertThat(order.take(BLOCK)).containsExactly(pushed, between, pulled);
    }

    @Test
    void shouldTakeNothingThatFewerThanAQuorumHaveReported() {
        held(1, 1, 10, 11, NEVER, NEVER);

        assertThat(order.take(BLOCK)).isEmpty();
    }

    @Test
    void shouldWaitForABatchThatACorrectReplicaHasAndThatMayBeEarlier() {
        held(1, 1, 20, 21, 22);
        SessionEnd known = held(2, 1, NEVER, 10, 11);

        assertThat(order.take(BLOCK)).isEmpty();

        report(known, NEVER, NEVER, NEVER, 12);
        assertThat(order.take(BLOCK)).containsExactly(batch(2, 1), batch(1, 1));
    }

    @Test
    void shouldWaitForABatchThatIsMissingHere() {
        held(1, 1, 20, 21, 22);
        report(batch(2, 1), NEVER, 10, 11, 12);

        assertThat(order.take(BLOCK)).isEmpty();
    }

    @Test
    void shouldNotWaitForWhatALiarAloneReports() {
        SessionEnd only = held(1, 1, 20, 21, 22);
        report(batch(2, 1), NEVER, NEVER, NEVER, 1);

        assertThat(order.take(BLOCK)).containsExactly(only);
    }

    @Test
    void shouldKeepTheOrderOfASessionAndNameEachRunByItsLastBatch() {
        held(1, 1, 10, 10, 10);
        SessionEnd second = held(1, 2, 12, 12, 12);
        SessionEnd other = held(2, 1, 15, 15, 15);
        SessionEnd third = held(1, 3, 17, 17, 17);

        assertThat(order.take(BLOCK)).containsExactly(second, other, third);
        assertThat(order.take(3)).containsExactly(second, other);
    }

    // What a backup refuses.

    @Test
    void shouldFindALaterBatchBeforeAnEarlierOneUnfair() {
        SessionEnd victim = held(2, 1, 10, 11, 12, NEVER);
        SessionEnd runner = held(1, 1, 20, 21, 22, 0);

        assertThat(judge(runner)).isEqualTo(Verdict.UNFAIR);
        assertThat(judge(runner, victim)).isEqualTo(Verdict.UNFAIR);
        assertThat(judge(victim, runner)).isEqualTo(Verdict.FAIR);
    }

    /** Replica 3 is the primary; the third correct replica is kept from the runner's batch. */
    @Test
    void shouldFindItUnfairWithTheFewestReportsThatAPrimaryCanDoWith() {
        held(2, 1, 10, 11, 12, NEVER);
        SessionEnd runner = held(1, 1, 20, 21, NEVER, 0);

        assertThat(judge(runner)).isEqualTo(Verdict.UNFAIR);
    }

    @Test
    void shouldNotJudgeABatchThatFewerThanAQuorumHaveReported() {
        held(2, 1, 10, 11, 12, NEVER);
        SessionEnd runner = held(1, 1, 20, NEVER, NEVER, 0);

        assertThat(judge(runner)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldExcuseAPrimaryThatMayHaveKnownOneReportOnly() {
        // By three reports of the second batch, only one of which is of a replica that had the first before.
        held(2, 1, 10, 30, 31, 12);
        SessionEnd taken = held(1, 1, 20, 20, 20, 13);

        assertThat(judge(taken)).isEqualTo(Verdict.FAIR);
    }

    @Test
    void shouldNotHoldALiarsReportsAgainstThePrimary() {
        // The liar says that the first batch was there long before; correct replicas had it after the second.
        held(2, 1, 30, 31, 32, 0);
        SessionEnd taken = held(1, 1, 20, 21, 22, 1_000);

        assertThat(judge(taken)).isEqualTo(Verdict.FAIR);
    }

    @Test
    void shouldTakeAReplicaThatNamesTwoTimesForEveryInstant() {
        SessionEnd victim = held(2, 1, 10, 30, NEVER, 12);
        SessionEnd runner = held(1, 1, 20, 20, NEVER, 22);
        assertThat(judge(runner)).isEqualTo(Verdict.UNFAIR);

        report(victim, NEVER, NEVER, NEVER, 40);
        report(runner, NEVER, NEVER, NEVER, 5);

        // The primary may have gone by any time of it, and by that of the second replica.
        assertThat(judge(runner)).isEqualTo(Verdict.FAIR);
    }

    @Test
    void shouldTakeAThirdTimeOfAReplicaForNoNews() {
        ArrivalReports reports = new ArrivalReports(REPLICAS);
        Digest id = id(1, 1);

        assertThat(reports.add(3, id, 10)).isTrue();
        assertThat(reports.add(3, id, 10)).isFalse();
        assertThat(reports.add(3, id, 11)).isTrue();
        assertThat(reports.add(3, id, 12)).isFalse();
        assertThat(reports.add(3, id(2, 1), 13)).isFalse();
        assertThat(reports.count(id)).isEqualTo(1);
    }

    @Test
    void shouldJudgeABatchAfterThoseOfEarlierProposals() {
        SessionEnd victim = held(2, 1, 10, 11, 12, NEVER);
        SessionEnd runner = held(1, 1, 20, 21, 22, 0);

        assertThat(order.judge(List.of(victim), List.of(runner))).isEqualTo(Verdict.FAIR);
    }

    @Test
    void shouldNotWaitForAWithdrawnSession() {
        held(2, 1, 10, 11, 12, NEVER);
        SessionEnd runner = held(1, 1, 20, 21, 22, 23);
        table.withdraw(SessionKey.of(2, 0), 0);

        assertThat(judge(runner)).isEqualTo(Verdict.FAIR);
        assertThat(order.take(BLOCK)).containsExactly(runner);
    }

    /** What a primary takes is fair to each replica that knows at least what the primary knew, whatever it knows. */
    @Test
    void shouldNeverFindAnOrderUnfairThatACorrectPrimaryChose() {
        SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; run < 20_000; run++) {
            new FairOrderTest().shouldAgree(random.split());
        }
    }

    /** Reports arrive in the order of their times at each replica; the primary has a prefix of what each reports. */
    private void shouldAgree(SplittableRandom random) {
        int brokers = 2 + random.nextInt(4);
        long[][] reports = new long[brokers][REPLICAS];
        for (long[] ofBatch : reports) {
            for (int replica = 0; replica < REPLICAS; replica++) {
                ofBatch[replica] = random.nextLong(20);
            }
        }
        long[] knownThrough = random.longs(REPLICAS, 5, 25).toArray();
        for (int broker = 0; broker < brokers; broker++) {
            held(broker + 1, 1);
            reportThrough(broker, reports[broker], knownThrough);
        }

        List<SessionEnd> taken = order.take(1 + random.nextInt(brokers));

        long[] laterThrough = random.longs(REPLICAS, 5, 25).toArray();
        for (int replica = 0; replica < REPLICAS; replica++) {
            laterThrough[replica] = Math.max(laterThrough[replica], knownThrough[replica]);
        }
        for (int broker = 0; broker < brokers; broker++) {
            reportThrough(broker, reports[broker], laterThrough);
        }
        if (!taken.isEmpty()) {
            assertThat(order.judge(List.of(), taken)).isEqualTo(Verdict.FAIR);
        }
    }

    private void reportThrough(int broker, long[] reports, long[] through) {
        for (int replica = 0; replica < REPLICAS; replica++) {
            if (reports[replica] < through[replica]) {
                times.add(replica, new Arrival(batch(broker + 1, 1), reports[replica]));
            }
        }
    }
}
