package io.sealbook.engine.persistence;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalReader;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.vocabulary.OperatingFailureException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that brings the journal into the database: applies whole blocks up to a limit in one transaction, goes on.
 * It writes in portions, so that its heap does not grow with the messages of a block. After any failure, one of this
 * process too, it tries again, with growing pauses, from the last block that the database itself records. One that has
 * lost blocks which the journal has no more, as H2 may when its process is killed, gets them from the reports.
 */
public final class DatabaseFollower implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseFollower.class);
    private static final long RETRY_MIN_MS = 500;
    private static final long RETRY_MAX_MS = 30_000;
    /** For a transaction that is under way; a database that does not answer must not hold the end of the process. */
    private static final Duration END_MAX = Duration.ofSeconds(5);

    private final Supplier<BooksOfRecord> books;
    private final ExecutionJournal journal;
    private final ReportStores reports;
    private final EngineMonitor monitor;
    private final EngineProperties.Database properties;
    private final long chainId;
    private final DatabaseMarks marks;
    private final Thread thread = Thread.ofPlatform().name("database").daemon().unstarted(this::run);
    private volatile boolean isStopping;
    private long retryMs = RETRY_MIN_MS;
    /** The database has had the mark of this engine's directory. */
    private boolean isOwn;

    /**
     * Makes a follower that is not started.
     *
     * @param books opened on this class's own thread, so that a slow or absent database does not hold the start
     * @param journal is read; stays the caller's
     * @param reports are read for what the journal has no more; stay the caller's
     * @param monitor learns the last block that was applied, and failures
     * @param properties size of a transaction and pauses
     * @param chainId the database must be of this chain or new
     * @param marks of the engine's directory: a database that holds what another execution put out is filled anew
     */
    public DatabaseFollower(
            Supplier<BooksOfRecord> books,
            ExecutionJournal journal,
            ReportStores reports,
            EngineMonitor monitor,
            EngineProperties.Database properties,
            long chainId,
            DatabaseMarks marks) {
        this.books = books;
        this.journal = journal;
        this.reports = reports;
        this.monitor = monitor;
        this.properties = properties;
        this.chainId = chainId;
        this.marks = marks;
    }

    public void start() {
        if (properties.enabled()) {
            thread.start();
        }
    }

    /**
     * Ends after the current transaction; the rest follows after the next start. A transaction that takes longer than
     * {@link #END_MAX} is left to itself: it is applied as a whole or not at all.
     */
    @Override
    public void close() {
        isStopping = true;
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            if (!thread.join(END_MAX)) {
                log.warn(
                        "database does not answer: its transaction after block {} is left alone",
                        monitor.persistedBlock());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (monitor.phase() == EnginePhase.STARTING && !isStopping) {
            pause(properties.idleMs());
        }
        while (!isStopping) {
            try {
                follow(books.get());
            } catch (Throwable failure) {
                tell(failure);
                pause(retryMs);
                retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
            }
        }
    }

    /** First the monitor, which allocates nothing: the heap may be full, and still be when the line is written. */
    private void tell(Throwable failure) {
        try {
            monitor.onDatabaseFailure(failure);
            log.warn(
                    "database has reached block {}, next attempt in {} ms: {}",
                    monitor.persistedBlock(),
                    retryMs,
                    failure.toString());
        } catch (Throwable another) {
            // The monitor has the first one.
        }
    }

    private void follow(BooksOfRecord target) {
        target.position(chainId);
        String mark = takeOver(target);
        // Another engine may have claimed it just now: the first step fails then.
        long position = Math.max(0, target.position(chainId));
        monitor.onDatabaseOpened(position);
        position = fillGap(target, mark, position);
        try (JournalReader reader = journal.readAfter(position)) {
            while (!isStopping) {
                if (journal.lastBlock() > position) {
                    position = step(target, mark, reader::next, position);
                }
                retryMs = RETRY_MIN_MS;
                if (journal.lastBlock() <= position) {
                    monitor.onDatabaseUpToDate();
                    pause(properties.idleMs());
                }
            }
        }
    }

    /**
     * Forgets what is not to be believed: the outputs of an engine that was rebuilt, or whose directory was deleted. A
     * database without a mark is one of an earlier build, or new. Returns the mark that the database has then.
     */
    private String takeOver(BooksOfRecord target) {
        Optional<String> known = target.mark();
        Optional<String> own = marks.read();
        boolean isForeign = known.isPresent() && !known.equals(own);
        if (isForeign && isOwn) {
            throw new OperatingFailureException("database: another engine has taken it over; stop one of the two");
        }
        String mark = own.orElseGet(marks::make);
        if (known.isEmpty()) {
            target.mark(mark);
        }
        if (isForeign || marks.isStale()) {
            log.warn(
                    "database is filled anew, because {}",
                    isForeign ? "it was not filled from this engine's directory" : "the engine was rebuilt");
            target.claim(mark);
        }
        isOwn = true;
        if (target.position(chainId) == BooksOfRecord.CLEARING) {
            target.clear(mark);
        }
        marks.removeStale();
        return mark;
    }

    /** Applies the blocks before the journal's first one that the database lacks; returns the position after them. */
    private long fillGap(BooksOfRecord target, String mark, long before) {
        long last = journal.firstBlock() - 1;
        if (before >= last) {
            return before;
        }
        log.warn(
                "database is at block {}, the journal begins with block {}: the blocks between come from the reports",
                before,
                last + 1);
        ReportedBlocks blocks = new ReportedBlocks(reports, before, last);
        long position = before;
        try {
            while (position < last && !isStopping) {
                position = step(target, mark, blocks::next, position);
            }
        } catch (ReportSearch.NotKeptException e) {
            throw new OperatingFailureException(
                    "database: is at block " + position + ", the journal begins with block " + (last + 1) + ", and "
                            + e.getMessage() + "; stop node and engine, delete queue/ and engine/ (not archive/) and"
                            + " start both, so that the engine executes all blocks again",
                    e);
        }
        return position;
    }

    /**
     * Applies some blocks in one transaction.
     *
     * @param source visits the next block; returns the number of its messages, -1 if there is none
     * @return the position after them
     */
    private long step(BooksOfRecord target, String mark, ToIntFunction<OutputMessages.Visitor> source, long position) {
        long reached = target.apply(
                mark,
                position,
                portions -> read(source, new ChangePortions(properties.messagesMax(), portions), position));
        monitor.onPersisted(reached);
        return reached;
    }

    /** Reads whole blocks until they have the messages of a portion; returns the position after them. */
    private long read(ToIntFunction<OutputMessages.Visitor> source, ChangePortions changes, long position) {
        int messages = 0;
        long reached = position;
        while (messages < properties.messagesMax()) {
            int count = source.applyAsInt(changes);
            if (count < 0) {
                break;
            }
            messages += count;
            reached++;
        }
        changes.handOver();
        return reached;
    }

    private void pause(long ms) {
        if (!isStopping) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(ms));
        }
    }
}
