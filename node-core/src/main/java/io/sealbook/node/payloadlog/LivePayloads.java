package io.sealbook.node.payloadlog;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.payloadlog.PayloadSegment.Entry;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which batches of a payload log are live, and in which segment each lies. Any thread: batches are added by admission
 * and removed by agent and committer, a few operations each, for which a lock is cheaper than a queue.
 */
final class LivePayloads {
    /** A segment, how many batches it holds, and how many of them are live. */
    static final class Segment {
        private final long number;
        private int live;
        private int added;

        private Segment(long number) {
            this.number = number;
        }

        long number() {
            return number;
        }
    }

    private record Place(Entry entry, Segment segment) {}

    private final Map<Digest, Place> places = new HashMap<>();
    private final TreeMap<Long, Segment> segments = new TreeMap<>();
    private long length;

    /** Begins a segment that holds nothing yet. */
    synchronized Segment beginSegment(long number) {
        Segment segment = new Segment(number);
        segments.put(number, segment);
        return segment;
    }

    /** Adds a segment that was found; of a batch that several segments hold, the last is live. */
    void addSegment(long number, List<Entry> entries) {
        Segment segment = beginSegment(number);
        entries.forEach(entry -> add(entry, segment));
    }

    synchronized void add(Entry entry, Segment segment) {
        remove(entry.batchId());
        put(entry, segment);
    }

    /** Notes that a batch lies in another segment now, unless it was removed meanwhile. */
    synchronized void move(Entry entry, Segment segment) {
        if (places.containsKey(entry.batchId())) {
            add(entry, segment);
        }
    }

    private void put(Entry entry, Segment segment) {
        places.put(entry.batchId(), new Place(entry, segment));
        segment.live++;
        segment.added++;
        length += entry.recordLength();
    }

    synchronized void remove(Digest batchId) {
        Place place = places.remove(batchId);
        if (place != null) {
            place.segment.live--;
            length -= place.entry.recordLength();
        }
    }

    /** Removes the segments without live batches but one, and returns their numbers. */
    synchronized List<Long> takeDead(Segment present) {
        List<Long> dead = new ArrayList<>();
        segments.values().removeIf(segment -> {
            boolean isDead = segment.live == 0 && segment != present;
            if (isDead) {
                dead.add(segment.number);
            }
            return isDead;
        });
        return dead;
    }

    /** Returns whether a segment holds a batch that is not live. */
    synchronized boolean hasRetired() {
        return segments.values().stream().anyMatch(segment -> segment.added > segment.live);
    }

    /** Returns the number of the oldest segment. */
    synchronized long oldestNumber() {
        return segments.firstKey();
    }

    /** Returns the live batches of the oldest segment, in the order of their admission. */
    synchronized List<Entry> oldestSegment() {
        Segment oldest = segments.firstEntry().getValue();
        return inOrder(oldest);
    }

    private List<Entry> inOrder(Segment segmentOrNull) {
        return places.values().stream()
                .filter(place -> segmentOrNull == null || place.segment == segmentOrNull)
                .map(Place::entry)
                .sorted(Comparator.comparingLong(Entry::admissionNumber))
                .toList();
    }

    synchronized List<Payload> payloads() {
        return inOrder(null).stream().map(LivePayloads::payload).toList();
    }

    private static Payload payload(Entry entry) {
        BatchView batch = new BatchView().wrap(entry.signedBatch());
        return new Payload(
                entry.batchId(),
                entry.signedBatch(),
                batch.brokerId(),
                batch.position(),
                batch.validUntilBlock(),
                batch.orderCount(),
                entry.origin(),
                entry.arrivalTimeNs(),
                Payload.BEFORE_START);
    }

    /** Returns the bytes that the records of all live batches take. */
    synchronized long length() {
        return length;
    }

    synchronized int count() {
        return places.size();
    }

    synchronized long segmentCount() {
        return segments.size();
    }

    synchronized long highestAdmission() {
        return places.values().stream()
                .mapToLong(place -> place.entry.admissionNumber())
                .max()
                .orElse(0);
    }
}
