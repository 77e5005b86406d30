package io.sealbook.engine.matching;

import io.sealbook.engine.intake.CommittedBlockReader;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.snapshot.BookChange;
import io.sealbook.engine.snapshot.SnapshotHeader;
import io.sealbook.engine.snapshot.SnapshotStore;
import io.sealbook.engine.snapshot.StoredSnapshot;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.chain.ChainExecution;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state an engine starts from: the newest snapshot that everything else reaches, else an empty market before block
 * 1.
 *
 * <p>A snapshot is used only when the results published, the reports and the journal all reach it; whatever they hold
 * beyond is cut, or compared, because executing the blocks again produces the same bytes.
 */
public record StartingPoint(
        MatchingCore core,
        ChainTerms terms,
        long sequence,
        Digest blockHash,
        long queueIndex,
        Totals totals,
        List<BookChange> bookChanges) {
    private static final Logger log = LoggerFactory.getLogger(StartingPoint.class);
    private static final int TOTALS_BEFORE_REJECTS = 4;

    /** Returns the engine's digest over all results up to the block. */
    public Digest resultDigest() {
        return core.resultDigest();
    }

    /**
     * Chooses the starting point, gives its terms to the market, and cuts reports, journal and newer snapshots back to
     * it.
     *
     * @param market gets the terms
     * @param stores are read, then cut
     * @param limit no later snapshot is used
     * @param beforeCut is called with the chosen block before anything is cut; what it throws ends the start
     */
    static StartingPoint choose(AgreedMarket market, EngineStores stores, long limit, LongConsumer beforeCut) {
        SnapshotStore snapshots = stores.snapshots();
        ReportStores reports = stores.reports();
        ExecutionJournal journal = stores.journal();
        // Each replica hashes ids with another seed, so that no broker can choose ids that collide everywhere.
        long hashSeed = new SecureRandom().nextLong();
        for (StoredSnapshot snapshot : snapshots.readAll()) {
            SnapshotHeader header = snapshot.header();
            Optional<MatchingCore> core = header.sequence() <= limit
                            && journal.reaches(header.sequence())
                            && reports.reach(header.reportSequences())
                    ? readCore(market, snapshot, hashSeed)
                    : Optional.empty();
            if (core.isPresent()) {
                beforeCut.accept(header.sequence());
                reports.open(market.brokerIds());
                snapshots.deleteAfter(header.sequence());
                reports.truncateTo(header.sequence(), header.reportSequences());
                journal.truncateAfter(header.sequence());
                return new StartingPoint(
                        core.get(),
                        market.terms(),
                        header.sequence(),
                        header.blockHash(),
                        header.queueIndex(),
                        totals(header.totals()),
                        header.bookChanges());
            }
            log.warn(
                    "snapshot of block {} is not used: results that count reach block {}, journal block {}",
                    header.sequence(),
                    limit,
                    journal.lastBlock());
        }
        beforeCut.accept(0);
        snapshots.deleteAfter(0);
        reports.truncateTo(0, new TreeMap<>());
        journal.truncateAfter(0);
        return new StartingPoint(
                new MatchingCore(MarketConfig.of(market.genesis()), hashSeed),
                market.terms(),
                0,
                market.genesisDigest(),
                CommittedBlockReader.NO_QUEUE_INDEX,
                Totals.none(),
                List.of());
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

    private static Optional<MatchingCore> readCore(AgreedMarket market, StoredSnapshot snapshot, long hashSeed) {
        long sequence = snapshot.header().sequence();
        try {
            ChainTerms terms =
                    ChainTerms.decode(market.genesis(), snapshot.header().terms());
            MatchingCore core = snapshot.readCore(stream -> ChainExecution.readCore(terms, stream, hashSeed));
            if (core.lastSequence() != sequence) {
                throw new IOException("its core has executed block " + core.lastSequence());
            }
            market.restore(terms);
            return Optional.of(core);
        } catch (IOException | IllegalArgumentException e) {
            log.warn("snapshot of block {} is not used: {}", sequence, e.getMessage());
            return Optional.empty();
        }
    }
}
