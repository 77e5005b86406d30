package io.sealbook.node.payloadlog;

import io.sealbook.node.payloadlog.PayloadSegment.Entry;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a segment file holds when it is read from the front.
 *
 * <p>The records end at the first place where none begins. What a crash left there is cut: nothing proves that it was
 * durable. It is damage if a whole record after it says that the bytes before it were. Each record stands for itself,
 * so those after a gap are taken too.
 *
 * @param entries whose bytes are the batches of their ids, in the order written
 * @param damage what was durable and does not read back, one fact each
 */
record PayloadScan(List<Entry> entries, List<String> damage) {
    /**
     * @param file little-endian, from 0 to its limit
     * @param number of the segment, by the file's name
     */
    static PayloadScan of(ByteBuffer file, long number) {
        List<Entry> entries = new ArrayList<>();
        List<String> damage = new ArrayList<>();
        if (!PayloadSegment.isHeader(file, number)) {
            damage.add("segment " + number + " has no whole header");
        }
        PayloadSegment segment = new PayloadSegment();
        Sha256 sha256 = new Sha256();
        Deque<Integer> gaps = new ArrayDeque<>();
        boolean isInGap = false;
        int offset = PayloadSegment.HEADER_LENGTH;
        while (offset < file.limit()) {
            if (!segment.isRecord(file, number, offset)) {
                if (!isInGap) {
                    gaps.add(offset);
                    isInGap = true;
                }
                offset += Long.BYTES;
                continue;
            }
            isInGap = false;
            long confirmed = PayloadSegment.confirmedOffset(file, offset);
            while (!gaps.isEmpty() && confirmed > gaps.peek()) {
                damage.add("segment " + number + " was durable up to " + confirmed + " but has no whole record at "
                        + gaps.remove());
            }
            Entry entry = PayloadSegment.entry(file, offset);
            if (isBatch(sha256, entry)) {
                entries.add(entry);
            } else {
                damage.add("segment " + number + ": the bytes at " + offset + " are not batch " + entry.batchId());
            }
            offset += entry.recordLength();
        }
        return new PayloadScan(entries, damage);
    }

    private static boolean isBatch(Sha256 sha256, Entry entry) {
        byte[] signed = entry.signedBatch();
        if (!BatchId.isOf(sha256, signed, 0, signed.length, entry.batchId())) {
            return false;
        }
        BatchView batch = new BatchView().wrap(signed);
        return batch.isOrderBatch() || batch.isAdministrative();
    }
}
