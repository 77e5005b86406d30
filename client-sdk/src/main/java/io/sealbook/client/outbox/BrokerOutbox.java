package io.sealbook.client.outbox;

import io.sealbook.client.OutboxException;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.lock.FailureReason;
import io.sealbook.lock.FileInUseException;
import io.sealbook.lock.LockFile;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The signed batches of one session in a directory, in the order of their numbers. A batch is durable before
 * {@link #append} returns and stays until a block holds it and all before it; the last one always stays, because it
 * says where the session goes on. Once nodes have refused a number, no program goes on: it was signed, and no other
 * batch may have it. A lock keeps other programs out. One thread at a time.
 */
public final class BrokerOutbox implements AutoCloseable {
    private static final String LOCK = "lock";
    /** Holds the number that nodes have refused, and why. */
    private static final String REFUSED = "refused";

    private static final long SEGMENT_BYTES_MAX = 16 << 20;

    private final Path directory;
    private final LockFile lock;
    private final long segmentBytesMax;
    private final Deque<OutboxSegment> segments = new ArrayDeque<>();
    /** First number of each segment, in the same order. */
    private final Deque<Long> firstNumbers = new ArrayDeque<>();

    private final List<SealedBatch> kept = new ArrayList<>();
    private BatchPosition next;

    private BrokerOutbox(Path directory, LockFile lock, long segmentBytesMax) {
        this.directory = directory;
        this.lock = lock;
        this.segmentBytesMax = segmentBytesMax;
    }

    /**
     * Opens the outbox, and creates its directory if there is none.
     *
     * @param directory of this outbox alone
     * @param chainId of the genesis file
     * @param brokerId whose batches it holds
     * @throws OutboxException if another program has it, it belongs to another broker or chain, nodes have refused one
     *     of its batches, or a file is damaged
     */
    public static BrokerOutbox open(Path directory, long chainId, int brokerId) {
        return open(directory, chainId, brokerId, SEGMENT_BYTES_MAX);
    }

    /** Tests let a segment end sooner. */
    static BrokerOutbox open(Path directory, long chainId, int brokerId, long segmentBytesMax) {
        try {
            Files.createDirectories(directory);
            BrokerOutbox outbox = new BrokerOutbox(directory, lock(directory), segmentBytesMax);
            try {
                outbox.read(chainId, brokerId);
            } catch (IOException | RuntimeException e) {
                outbox.close();
                throw e;
            }
            return outbox;
        } catch (IOException e) {
            throw new OutboxException("outbox " + directory + " cannot be opened: " + FailureReason.of(e), e);
        }
    }

    private static LockFile lock(Path directory) throws IOException {
        try {
            return LockFile.take(directory.resolve(LOCK));
        } catch (FileInUseException e) {
            throw new OutboxException(
                    "outbox " + directory + " is used by another client, whose session would be signed twice", e);
        }
    }

    private void read(long chainId, int brokerId) throws IOException {
        Path refused = directory.resolve(REFUSED);
        if (Files.exists(refused)) {
            throw new OutboxException(
                    "the session of outbox " + directory + " has ended, because nodes refused "
                            + Files.readString(refused).strip()
                            + "; go on in another session, with another outbox",
                    null);
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().startsWith(OutboxSegment.PREFIX))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            List<byte[]> batches = new ArrayList<>();
            OutboxSegment segment = OutboxSegment.open(file, file.equals(files.get(files.size() - 1)), batches);
            if (batches.isEmpty()) {
                segment.delete();
                continue;
            }
            segments.add(segment);
            for (byte[] batch : batches) {
                keep(file, batch, chainId, brokerId);
            }
            firstNumbers.add(new BatchView().wrap(batches.get(0)).number());
        }
        OutboxSegment.forceNames(directory);
    }

    private void keep(Path file, byte[] signed, long chainId, int brokerId) {
        BatchView view = signed.length < SignedBatch.signedLength(0) ? null : new BatchView().wrap(signed);
        if (view == null || !view.isOrderBatch() || view.number() == 0) {
            throw new OutboxException(file + " is damaged: it holds bytes that are no batch", null);
        }
        if (view.chainId() != chainId || view.brokerId() != brokerId) {
            throw new OutboxException(
                    "outbox " + directory + " belongs to broker " + Integer.toUnsignedString(view.brokerId())
                            + " of chain " + Long.toUnsignedString(view.chainId()),
                    null);
        }
        BatchPosition position = view.position();
        if (next != null && !next.equals(position)) {
            throw new OutboxException(
                    file + " is damaged: number " + next.number() + " of session " + next.session() + " is missing",
                    null);
        }
        Digest batchId = BatchId.of(signed);
        kept.add(new SealedBatch(position.number(), batchId.bytes(), signed, view.validUntilBlock()));
        next = position.after(batchId);
    }

    public Path directory() {
        return directory;
    }

    /** Returns what an earlier run has left, in the order of numbers; some of it may be in blocks. */
    public List<SealedBatch> kept() {
        return List.copyOf(kept);
    }

    /** Returns where an earlier run's session goes on; empty if it left nothing. */
    public Optional<BatchPosition> next() {
        return Optional.ofNullable(next);
    }

    /**
     * Keeps batches durably.
     *
     * @param batches consecutive, after those of earlier calls; at least one
     * @throws OutboxException if the disk refuses, or an error comes between; none of them may be sent then. The file
     *     has none of them, unless {@link OutboxException#isSent}
     */
    public void append(List<SealedBatch> batches) {
        try {
            if (segments.isEmpty() || segments.getLast().length() >= segmentBytesMax) {
                segments.add(OutboxSegment.create(directory, batches.get(0).number()));
                firstNumbers.add(batches.get(0).number());
            }
            segments.getLast()
                    .append(batches.stream().map(SealedBatch::signedBytes).toList());
        } catch (IOException | RuntimeException | Error e) {
            boolean isSent = !segments.isEmpty() && segments.getLast().isUncut();
            throw new OutboxException(
                    "outbox " + directory + " cannot keep number "
                            + batches.get(0).number() + ": " + FailureReason.of(e)
                            + (isSent ? "; what is in its last file may be sent by the next program all the same" : ""),
                    e,
                    isSent);
        }
    }

    /**
     * Notes durably that no program may go on in the session.
     *
     * @param number that nodes have refused
     * @param why what they say
     * @throws OutboxException if the disk refuses: the next program sends the batch again, and is refused as this one
     */
    public void refused(long number, String why) {
        try (FileChannel file =
                FileChannel.open(directory.resolve(REFUSED), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(("number " + number + ": " + why + "\n").getBytes(StandardCharsets.UTF_8)));
            file.force(true);
            OutboxSegment.forceNames(directory);
        } catch (IOException e) {
            throw new OutboxException("outbox " + directory + " cannot note its end: " + FailureReason.of(e), e);
        }
    }

    /**
     * Notes that a batch is in a block; once for each. Files of which all are go, in the order of their numbers.
     *
     * @throws OutboxException if a file cannot be deleted; the next call tries again
     */
    public void done(long number) {
        OutboxSegment holder = null;
        var numbers = firstNumbers.iterator();
        for (OutboxSegment segment : segments) {
            if (Long.compareUnsigned(numbers.next(), number) <= 0) {
                holder = segment;
            }
        }
        if (holder != null) {
            holder.onDone();
        }
        try {
            while (segments.size() > 1 && segments.getFirst().isDone()) {
                // Stays in line if it cannot be deleted: a file that is left must have no gap after it.
                segments.getFirst().delete();
                segments.removeFirst();
                firstNumbers.removeFirst();
            }
        } catch (IOException e) {
            throw new OutboxException("outbox " + directory + " cannot delete a file: " + FailureReason.of(e), e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            for (OutboxSegment segment : segments) {
                segment.close();
            }
        } catch (IOException e) {
            throw new OutboxException("outbox " + directory + " cannot be closed: " + FailureReason.of(e), e);
        }
    }
}
