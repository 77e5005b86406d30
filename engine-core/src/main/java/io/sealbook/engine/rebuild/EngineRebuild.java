package io.sealbook.engine.rebuild;

import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the engine of an isolated node builds its state again, and from where. The first attempt begins with a
 * snapshot that a quorum has proven; if the result is wrong again, or a database has to be filled anew, with the empty
 * market. After {@link #ATTEMPTS_MAX} the engine stays as it is, because the same blocks lead it to the same result:
 * another build of the engine, or another machine, is needed.
 *
 * <pre>
 *   none ─▶ ordered ─▶ begun ─▶ right
 *              ▲         └────▶ wrong ─▶ given up
 *              └──── once ───────┘
 * </pre>
 *
 * <p>Any thread.
 */
public final class EngineRebuild {
    /** Rebuilds for one isolation. */
    public static final int ATTEMPTS_MAX = 2;

    private static final Logger log = LoggerFactory.getLogger(EngineRebuild.class);

    private final EngineDirectory files;
    private final boolean isDatabaseFed;
    private Optional<RebuildRecord> record;
    private boolean isNoticeUnreadable;

    /**
     * Reads the record of the last rebuild.
     *
     * @param files of the engine, locked by this process
     * @param isDatabaseFed whether a database follows the engine's outputs, and must forget those of the wrong engine
     */
    public EngineRebuild(EngineDirectory files, boolean isDatabaseFed) {
        this.files = files;
        this.isDatabaseFed = isDatabaseFed;
        record = RebuildRecord.read(files.rebuild());
    }

    /** Returns whether the node waits for a rebuild: the engine is to be closed and started again. */
    public synchronized boolean isDue() {
        return notice().filter(this::needsRebuild).isPresent();
    }

    /** Returns why a rebuild is due. */
    public synchronized EngineRebuildException reason() {
        IsolationNotice notice = notice().orElseThrow();
        return new EngineRebuildException(difference(notice, notice.ownResult())
                + "; this engine starts again and executes the archive's blocks again");
    }

    private static String difference(IsolationNotice notice, Digest own) {
        return "the result of block " + notice.checkpoint() + " is " + own.hex() + ", the others have "
                + notice.agreedResult().hex();
    }

    private Optional<IsolationNotice> notice() {
        try {
            Optional<IsolationNotice> notice = IsolationNotice.read(files.isolation());
            isNoticeUnreadable = false;
            return notice;
        } catch (HandOffException e) {
            if (!isNoticeUnreadable) {
                isNoticeUnreadable = true;
                log.warn("{}; no rebuild", e.getMessage());
            }
            return Optional.empty();
        }
    }

    private boolean needsRebuild(IsolationNotice notice) {
        if (!notice.isEngineWrong()) {
            return false;
        }
        Optional<RebuildRecord> last = record.filter(made -> made.cause().isOfSameIsolation(notice));
        return last.isEmpty() || last.get().hasFailed() && last.get().attempt() < ATTEMPTS_MAX;
    }

    /**
     * Begins a rebuild if one is due or was interrupted; to be called at the start, before any state is read.
     *
     * @return the last block whose snapshot may be used, 0 for none; empty if the start is an ordinary one
     */
    public synchronized OptionalLong begin() {
        if (record.isEmpty() || record.get().isBegun()) {
            Optional<IsolationNotice> notice = notice().filter(this::needsRebuild);
            if (notice.isEmpty()) {
                return OptionalLong.empty();
            }
            keep(next(notice.get()));
        }
        RebuildRecord made = record.orElseThrow();
        if (isDatabaseFed) {
            markDatabase();
        }
        log.warn(
                "rebuild {} of {} for the isolation at block {}: snapshots after block {} are not used",
                made.attempt(),
                ATTEMPTS_MAX,
                made.cause().checkpoint(),
                made.limit());
        return OptionalLong.of(made.limit());
    }

    private RebuildRecord next(IsolationNotice notice) {
        int attempt = 1
                + record.filter(last -> last.cause().isOfSameIsolation(notice))
                        .map(RebuildRecord::attempt)
                        .orElse(0);
        long limit = isDatabaseFed || attempt > 1 ? 0 : notice.provenTo();
        return new RebuildRecord(notice, attempt, limit, false, Optional.empty(), total() + 1);
    }

    private void markDatabase() {
        Path mark = files.staleDatabase();
        try {
            Files.createDirectories(mark.getParent());
            Files.write(mark, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException("rebuild: cannot write " + mark, e);
        }
    }

    /**
     * Notes a block that was executed and reported.
     *
     * @param sequence of the block
     * @param result digest after it
     */
    public synchronized void executed(long sequence, Digest result) {
        if (record.isEmpty()) {
            return;
        }
        RebuildRecord made = record.get();
        if (!made.isBegun()) {
            made = keep(made.begun());
        }
        if (sequence == made.cause().checkpoint() && made.result().isEmpty()) {
            sayHowItEnded(keep(made.reached(result)));
        }
    }

    private static void sayHowItEnded(RebuildRecord made) {
        long checkpoint = made.cause().checkpoint();
        if (!made.hasFailed()) {
            log.info("rebuilt: the result of block {} is that of the others now", checkpoint);
        } else if (made.attempt() < ATTEMPTS_MAX) {
            log.error("rebuilt: the result of block {} differs again; the next attempt uses no snapshot", checkpoint);
        } else {
            log.error(
                    "rebuilt {} times: the result of block {} differs still, no further attempt is made; compare the"
                            + " builds and results of all members, and see 'An engine is wrong' in OPERATING.md",
                    made.attempt(),
                    checkpoint);
        }
    }

    private RebuildRecord keep(RebuildRecord next) {
        next.write(files.rebuild());
        record = Optional.of(next);
        return next;
    }

    /** Returns the rebuilds of this engine so far. */
    public synchronized long total() {
        return record.map(RebuildRecord::total).orElse(0L);
    }

    /** Returns the result in which the engine differs from the others after its last attempt; empty if in none. */
    public synchronized Optional<String> givenUp() {
        return record.filter(made -> made.hasFailed() && made.attempt() >= ATTEMPTS_MAX)
                .flatMap(made -> notice().filter(made.cause()::isOfSameIsolation)
                        .map(notice -> difference(notice, made.result().orElseThrow())));
    }
}
