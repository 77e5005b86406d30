package io.sealbook.engine.matching;

import io.sealbook.engine.config.Market;
import io.sealbook.engine.intake.CommittedBlockReader;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.snapshot.EngineSnapshot;
import io.sealbook.engine.snapshot.SnapshotStore;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state an engine goes on from: the newest snapshot that everything else reaches, else an empty market before block 1.
 *
 * <p>A snapshot is used only when the results published, the reports and the journal all reach it; whatever they hold beyond is cut, or
 * compared, because executing the blocks again produces the same bytes.
 */
record StartingPoint(MatchingCore core, long sequence, byte[] blockHash, long queueIndex, Totals totals) {
    private static final Logger LOG = LoggerFactory.getLogger(StartingPoint.class);
    private static final int TOTALS_BEFORE_REJECTS = 4;

    /** Chooses the starting point and cuts reports, journal and newer snapshots back to it. */
    static StartingPoint choose(
            Market market,
            SnapshotStore snapshots,
            ReportStores reports,
            ExecutionJournal journal,
            long lastPublished) {
        MarketConfig config = MarketConfig.of(market.genesis());
        // Each replica scatters ids in its own way, so nobody can choose ids that collide everywhere.
        long hashSeed = new SecureRandom().nextLong();
        for (EngineSnapshot snapshot : snapshots.readAll()) {
            Optional<MatchingCore> core = snapshot.sequence() <= lastPublished
                            && journal.reaches(snapshot.sequence())
                            && reports.reach(snapshot.reportSequences())
                    ? readCore(config, snapshot, hashSeed)
                    : Optional.empty();
            if (core.isPresent()) {
                snapshots.deleteAfter(snapshot.sequence());
                reports.truncateTo(snapshot.reportSequences());
                journal.truncateAfter(snapshot.sequence());
                return new StartingPoint(
                        core.get(),
                        snapshot.sequence(),
                        snapshot.blockHash(),
                        snapshot.queueIndex(),
                        totals(snapshot.totals()));
            }
            LOG.warn(
                    "snapshot of block {} is passed over: results reach block {}, journal block {}",
                    snapshot.sequence(),
                    lastPublished,
                    journal.lastBlock());
        }
        snapshots.deleteAfter(0);
        reports.truncateTo(new TreeMap<>());
        journal.truncateAfter(0);
        return new StartingPoint(
                new MatchingCore(config, hashSeed),
                0,
                market.genesisDigest(),
                CommittedBlockReader.NO_QUEUE_INDEX,
                Totals.none());
    }

    /** Returns the totals in the order in which a snapshot holds them. */
    static long[] values(Totals totals) {
        long[] values = Arrays.copyOf(
                new long[] {totals.batches(), totals.orders(), totals.trades(), totals.reports()},
                TOTALS_BEFORE_REJECTS + Totals.REASON_COUNT);
        System.arraycopy(totals.rejects(), 0, values, TOTALS_BEFORE_REJECTS, Totals.REASON_COUNT);
        return values;
    }

    private static Totals totals(long[] values) {
        long[] rejects = Arrays.copyOfRange(values, TOTALS_BEFORE_REJECTS, TOTALS_BEFORE_REJECTS + Totals.REASON_COUNT);
        return new Totals(values[0], values[1], values[2], values[3], rejects);
    }

    private static Optional<MatchingCore> readCore(MarketConfig config, EngineSnapshot snapshot, long hashSeed) {
        try {
            MatchingCore core = MatchingCore.readSnapshot(config, new ByteArrayInputStream(snapshot.core()), hashSeed);
            if (core.lastSequence() != snapshot.sequence()) {
                throw new IOException("core stands at block " + core.lastSequence());
            }
            return Optional.of(core);
        } catch (IOException e) {
            LOG.warn("snapshot of block {} is passed over: {}", snapshot.sequence(), e.getMessage());
            return Optional.empty();
        }
    }
}
