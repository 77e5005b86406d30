package io.sealbook.node.payloadlog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.vocabulary.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * The segment files of a payload log by number. A file that is no longer needed is kept under the name of a spare and
 * becomes the next segment: its pages and blocks are there already. One thread.
 */
final class PayloadSegmentFiles implements AutoCloseable {
    private static final String SUFFIX = ".payloads";
    private static final String SPARE_SUFFIX = ".spare";
    private static final String TEMPORARY = "next.tmp";
    private static final int SPARES_MAX = 2;

    private final Storage storage;
    private final Durability durability;
    private final int segmentLength;
    private final Deque<String> spares = new ArrayDeque<>();
    private ByteBuffer content = ByteBuffer.allocate(0);

    PayloadSegmentFiles(Storage storage, Durability durability, int segmentLength) {
        this.storage = storage;
        this.durability = durability;
        this.segmentLength = segmentLength;
        storage.delete(TEMPORARY);
        storage.names().stream().filter(name -> name.endsWith(SPARE_SUFFIX)).forEach(spares::add);
    }

    int segmentLength() {
        return segmentLength;
    }

    /** Returns the numbers of the segments, ascending. */
    List<Long> numbers() {
        return storage.names().stream()
                .filter(name -> name.endsWith(SUFFIX))
                .map(name -> Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))
                .sorted()
                .toList();
    }

    /**
     * Returns what a segment file holds, durable in the class of the log; valid until the next call. A killed process
     * leaves batches with the operating system that it had not synced, and the next one acknowledges what it reads.
     */
    ByteBuffer read(long number) {
        try (StoredFile file = storage.open(name(number, SUFFIX))) {
            if (durability.isDisk()) {
                file.sync(true);
            }
            int length = Math.toIntExact(file.length());
            if (content.capacity() < length) {
                content = ByteBuffer.allocate(length);
            }
            content.clear().limit(length);
            file.read(content, 0);
            return content.flip().order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /**
     * Begins a segment: a file with its header, of its full length.
     *
     * @param number above those of all segments before
     * @param recordLength of a record for which there must be room
     * @return the open file, the caller's
     */
    StoredFile begin(long number, int recordLength) {
        long length = Math.max(segmentLength, PayloadSegment.HEADER_LENGTH + (long) recordLength);
        String from = spares.isEmpty() ? TEMPORARY : spares.remove();
        StoredFile file = from.equals(TEMPORARY) ? storage.create(from) : storage.open(from);
        file.write(PayloadSegment.header(number), 0);
        if (file.length() < length) {
            file.write(ByteBuffer.allocate(1), length - 1);
        }
        // Before the file has its name, so that a segment without a whole header is damage.
        if (durability.isDisk()) {
            file.sync(true);
        }
        storage.rename(from, name(number, SUFFIX));
        if (durability.isDisk()) {
            storage.syncNames();
        }
        return file;
    }

    /** Makes a spare of a segment that is not written any more, or deletes it. */
    void retire(long number) {
        if (spares.size() < SPARES_MAX) {
            String spare = name(number, SPARE_SUFFIX);
            storage.rename(name(number, SUFFIX), spare);
            spares.add(spare);
        } else {
            storage.delete(name(number, SUFFIX));
        }
    }

    @Override
    public void close() {
        storage.close();
    }

    private static String name(long number, String suffix) {
        return String.format(Locale.ROOT, "%016d%s", number, suffix);
    }
}
