package io.sealbook.client.submission;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The batches without a result, in the order of their session: those that wait to be sent and those that a node was
 * given. Each time that a batch is sent it has a new correlation id; an answer to an earlier one is none. Loop thread
 * only.
 */
final class BatchLine {
    private final NavigableMap<Long, OutgoingBatch> waiting = new TreeMap<>();
    private final NavigableMap<Long, OutgoingBatch> sent = new TreeMap<>();
    private final Map<ByteString, OutgoingBatch> byId = new HashMap<>();
    private final Map<Long, OutgoingBatch> byCorrelation = new HashMap<>();
    private long lastCorrelation;

    void add(OutgoingBatch batch) {
        waiting.put(batch.number(), batch);
    }

    void signed(OutgoingBatch batch) {
        batch.isSigned = true;
        byId.put(idOf(batch), batch);
    }

    /** Returns the batch with an id; null if it has its result or is not this client's. */
    OutgoingBatch withId(ByteString batchId) {
        return byId.get(batchId);
    }

    /** Returns the signed batch with a number of the session; null if there is none without a result. */
    OutgoingBatch withNumber(long number) {
        return Stream.concat(sent.values().stream(), waiting.values().stream())
                .filter(batch -> batch.isSigned && batch.sealed().number() == number)
                .findFirst()
                .orElse(null);
    }

    Collection<OutgoingBatch> waiting() {
        return waiting.values();
    }

    Collection<OutgoingBatch> sent() {
        return sent.values();
    }

    /** Returns all batches, those first that were sent. */
    List<OutgoingBatch> all() {
        List<OutgoingBatch> all = new ArrayList<>(sent.values());
        all.addAll(waiting.values());
        return all;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && sent.isEmpty();
    }

    /** Returns the first batch that waits; null if none does. */
    OutgoingBatch firstWaiting() {
        return waiting.isEmpty() ? null : waiting.firstEntry().getValue();
    }

    /** Returns the lowest number of the session that has no result; {@link Long#MAX_VALUE} if there is none. */
    long lowestNumber() {
        long lowest = Long.MAX_VALUE;
        for (NavigableMap<Long, OutgoingBatch> batches : List.of(sent, waiting)) {
            if (!batches.isEmpty() && batches.firstEntry().getValue().isSigned) {
                lowest = Math.min(
                        lowest, batches.firstEntry().getValue().sealed().number());
            }
        }
        return lowest;
    }

    /** Moves a batch to those that were sent and returns its correlation id. */
    long send(OutgoingBatch batch) {
        waiting.remove(batch.number());
        sent.put(batch.number(), batch);
        batch.correlationId = ++lastCorrelation;
        byCorrelation.put(batch.correlationId, batch);
        return batch.correlationId;
    }

    /** Returns the batch that was sent last under this id; null if there is none any more. */
    OutgoingBatch answered(long correlationId) {
        return byCorrelation.get(correlationId);
    }

    /** Puts the sent batches that match back in line, in their old order. */
    void takeBack(Predicate<OutgoingBatch> isTaken) {
        List<OutgoingBatch> back = sent.values().stream().filter(isTaken).toList();
        for (OutgoingBatch batch : back) {
            sent.remove(batch.number());
            byCorrelation.remove(batch.correlationId);
            waiting.put(batch.number(), batch);
        }
    }

    void remove(OutgoingBatch batch) {
        waiting.remove(batch.number());
        sent.remove(batch.number());
        byCorrelation.remove(batch.correlationId);
        if (batch.isSigned) {
            byId.remove(idOf(batch));
        }
    }

    private static ByteString idOf(OutgoingBatch batch) {
        return UnsafeByteOperations.unsafeWrap(batch.sealed().batchId());
    }
}
