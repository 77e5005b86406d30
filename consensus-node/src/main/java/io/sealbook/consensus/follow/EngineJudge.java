package io.sealbook.consensus.follow;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the results of the engine beside a follower against the certificates in the follower's archive, and tells the
 * engine by {@code queue/isolation} that it is wrong, so that it builds its state again. Results are chained: a right
 * one proves all before it. Without an engine it finds nothing to judge.
 *
 * <p>One thread; any thread reads what it has found.
 */
final class EngineJudge extends DutyCycle implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EngineJudge.class);
    private static final int RESULTS_PER_CYCLE = 256;
    /** Results that wait for a certificate; no more are read meanwhile. */
    private static final int WAITING_MAX = 16_384;

    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final BlockArchive archive;
    private final Path file;
    private final HandOffReader<BlockResult> queue;
    /** Of blocks that no certificate covers yet. */
    private final NavigableMap<Long, Digest> waiting = new TreeMap<>();

    private boolean isPlaced;
    private boolean isDamageTold;
    private boolean isRefusalTold;
    private boolean isGarbageTold;
    private volatile long lastRight;
    /** Stays as it is until the engine is right: with each new one the engine would count its rebuilds anew. */
    private volatile Optional<IsolationNotice> notice;

    /**
     * @param archive whose certificates judge; stays the caller's
     * @param results queue/results, which the engine writes; created if it is absent
     * @param file that tells the engine; an operator may put there the one of a node with {@code engine=remote}
     */
    EngineJudge(BlockArchive archive, Path results, Path file) {
        this.archive = archive;
        this.file = file;
        this.queue = HandOffReader.ofResults(results);
        this.notice = told();
    }

    private Optional<IsolationNotice> told() {
        try {
            return IsolationNotice.read(file).filter(IsolationNotice::isEngineWrong);
        } catch (HandOffException e) {
            if (!isGarbageTold) {
                isGarbageTold = true;
                log.warn("{}; it is written again if the engine is wrong", e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Returns the last certified block after which the engine had the members' result; 0 if none is known yet. */
    long lastRight() {
        return lastRight;
    }

    /** Returns the certified block after which the engine was seen to have another result; 0 if it is right. */
    long wrongAt() {
        return notice.map(IsolationNotice::checkpoint).orElse(0L);
    }

    /** {@inheritDoc} A damaged result is for the engine to mend, when it starts: it is looked at again until then. */
    @Override
    public int doWork() {
        notice.ifPresent(this::tell);
        try {
            if (!isPlaced) {
                queue.toFirstAfter(start());
                isPlaced = true;
            }
            return read();
        } catch (HandOffException e) {
            if (!isDamageTold) {
                isDamageTold = true;
                log.warn("the engine is not judged: {}", e.getMessage());
            }
            isPlaced = false;
            return 0;
        }
    }

    /** What was wrong is judged again; else the newest certified result proves those before it. */
    private long start() {
        long newest = queue.last().map(BlockResult::sequence).orElse(0L);
        return wrongAt() > 0
                ? wrongAt() - 1
                : archive.certificateBefore(newest + 1)
                        .map(certificate -> certificate.sequence() - 1)
                        .orElse(0L);
    }

    private int read() {
        int count = 0;
        while (count < RESULTS_PER_CYCLE && waiting.size() < WAITING_MAX) {
            Optional<BlockResult> next = queue.read();
            if (next.isEmpty()) {
                break;
            }
            count++;
            isDamageTold = false;
            // An engine that was rebuilt reports again: what it said of later blocks is not true any more.
            waiting.tailMap(next.get().sequence(), false).clear();
            waiting.put(next.get().sequence(), next.get().digest());
        }
        judge();
        return count;
    }

    private void judge() {
        while (!waiting.isEmpty()) {
            Optional<CheckpointCertificate> next = archive.certificateAtOrAfter(waiting.firstKey());
            if (next.isEmpty()) {
                return;
            }
            CheckpointCertificate certificate = next.get();
            waiting.headMap(certificate.sequence(), false).clear();
            Digest own = waiting.remove(certificate.sequence());
            if (own != null) {
                judge(certificate, own);
            }
        }
    }

    private void judge(CheckpointCertificate certificate, Digest own) {
        if (own.equals(certificate.resultDigest())) {
            right(certificate.sequence());
        } else if (notice.isEmpty()) {
            wrong(certificate, own);
        }
    }

    private void right(long sequence) {
        lastRight = sequence;
        if (notice.isEmpty() && Files.exists(file)) {
            notice = told();
        }
        if (wrongAt() == 0 || sequence < wrongAt()) {
            return;
        }
        log.info("the engine has the members' result of block {} again", sequence);
        try {
            Files.deleteIfExists(file);
            notice = Optional.empty();
        } catch (IOException e) {
            log.error("{} cannot be deleted although the engine is right: {}", file, e.toString());
        }
    }

    /** What this judge has not seen to be right, the engine does not begin its rebuild with. */
    private void wrong(CheckpointCertificate certificate, Digest own) {
        log.error(
                "the engine beside this follower is wrong: its result of block {} is {}, its certificate has {};"
                        + " the engine builds its state again",
                certificate.sequence(),
                own.hex(),
                certificate.resultDigest().hex());
        IsolationNotice found = new IsolationNotice(
                certificate.sequence(),
                certificate.chainHash(),
                own,
                certificate.chainHash(),
                certificate.resultDigest(),
                lastRight);
        notice = Optional.of(found);
        tell(found);
    }

    /** Writes the file unless one is there that the engine obeys; a full disk may have room later. */
    private void tell(IsolationNotice found) {
        if (told().isPresent()) {
            return;
        }
        try {
            found.write(file);
        } catch (IOException e) {
            if (!isRefusalTold) {
                isRefusalTold = true;
                log.error("{} cannot be written, the engine is not rebuilt by itself yet: {}", file, e.toString());
            }
        }
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return IDLE_NS;
    }

    @Override
    public void close() {
        queue.close();
    }
}
