package io.sealbook.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * Does, on a thread of its own, what appending must not wait for: creates the next segment while the open one fills up,
 * and closes full ones. Both force files, which takes seconds where much was written before. Called by the appending
 * thread.
 */
final class SegmentWorker implements AutoCloseable {
    private final Path directory;
    private final LongFunction<SegmentHead> heads;
    private final OpenSegment.ChannelOpener opener;
    private final ExecutorService thread;
    private Future<OpenSegment> prepared;
    private volatile Throwable failure;

    /**
     * @param heads gives the head of the segment that begins with a block
     * @param thread carries out one task after another; closed with this worker
     */
    SegmentWorker(
            Path directory, LongFunction<SegmentHead> heads, OpenSegment.ChannelOpener opener, ExecutorService thread) {
        this.directory = directory;
        this.heads = heads;
        this.opener = opener;
        this.thread = thread;
    }

    /** Begins to create the segment of a block ahead of time. A failure is reported when the segment is needed. */
    void prepare(long firstSequence) {
        prepared = thread.submit(() -> create(firstSequence));
    }

    /** Returns the prepared segment, or creates it; its file does not have its name yet. */
    OpenSegment take(long firstSequence) throws IOException {
        Future<OpenSegment> ahead = prepared;
        prepared = null;
        if (ahead != null) {
            try {
                return ahead.get();
            } catch (ExecutionException e) {
                // There may be room now; if not, this attempt says so.
                return create(firstSequence);
            } catch (InterruptedException e) {
                prepared = ahead;
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a segment was created", e);
            }
        }
        return create(firstSequence);
    }

    private OpenSegment create(long firstSequence) throws IOException {
        return OpenSegment.create(directory, heads.apply(firstSequence), opener);
    }

    /** Makes a full segment durable, marks it closed and closes its file; its index is in its head already. */
    void close(OpenSegment full) {
        thread.execute(() -> {
            try (full) {
                // Its name, too, is to be on the disk before it says that it is closed.
                PositionalIo.forceDirectory(directory);
                full.markClosed();
            } catch (Throwable e) {
                failure = e;
            }
        });
    }

    /** @throws ArchiveException if a segment could not be closed: what is on the disk is not known then */
    void check() {
        Throwable reason = failure;
        if (reason != null) {
            throw new ArchiveException("cannot close a full segment in " + directory, reason);
        }
    }

    /** Waits until full segments are closed, and removes the one that was prepared and not taken. */
    @Override
    public void close() throws IOException {
        thread.close();
        if (prepared != null && prepared.state() == Future.State.SUCCESS) {
            prepared.resultNow().delete();
        }
        if (failure != null) {
            throw new IOException("a full segment could not be closed", failure);
        }
    }
}
