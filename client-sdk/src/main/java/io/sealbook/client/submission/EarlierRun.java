package io.sealbook.client.submission;

import io.sealbook.client.ResentBatch;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OrderView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an earlier run of the program has left in the outbox, as batches of this run. Loop thread only, once read. */
final class EarlierRun {
    private final List<OutgoingBatch> batches = new ArrayList<>();
    private final List<ResentBatch> resent = new ArrayList<>();

    private final SessionTerms terms;

    /**
     * @param terms with an outbox just opened, or without any
     * @param nodeCapacity how many nodes there may be
     */
    EarlierRun(SessionTerms terms, int nodeCapacity) {
        this.terms = terms;
        List<SealedBatch> kept = terms.outbox().map(BrokerOutbox::kept).orElse(List.of());
        for (int i = 0; i < kept.size(); i++) {
            SealedBatch sealed = kept.get(i);
            OutgoingBatch batch = new OutgoingBatch(List.of(), nodeCapacity);
            batch.number(i - kept.size());
            batch.seal(sealed);
            batch.isOfEarlierRun = true;
            batch.knownBlock = Math.max(0, sealed.validUntilBlock() - terms.validityBlocksMax());
            batches.add(batch);
            resent.add(new ResentBatch(sealed.number(), clOrdIds(sealed), batch.newFuture()));
        }
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    /** Returns where its session goes on; not if it is empty. */
    BatchPosition next() {
        return terms.outbox().flatMap(BrokerOutbox::next).orElseThrow();
    }

    /**
     * Returns which batch is before a number; not if it is empty.
     *
     * @return the id that a batch of this number names; empty if neither this batch nor the one before is in the outbox
     */
    Optional<Digest> previousOf(long number) {
        BatchPosition next = next();
        if (number == next.number()) {
            return Optional.of(next.previous());
        }
        long back = next.number() - number;
        return back < 0 || back > batches.size()
                ? Optional.empty()
                : Optional.of(new BatchView()
                        .wrap(batches.get(batches.size() - (int) back).sealed().signedBytes())
                        .position()
                        .previous());
    }

    /** Returns the outbox's directory, for messages; not if it is empty. */
    String name() {
        return terms.outbox().orElseThrow().directory().toString();
    }

    /** Returns all batches, in the order of their numbers, before those of this run. */
    List<OutgoingBatch> batches() {
        return batches;
    }

    /** Returns the batches after a number. */
    List<ResentBatch> after(long number) {
        return resent.stream()
                .filter(batch -> Long.compareUnsigned(batch.number(), number) > 0)
                .toList();
    }

    private static List<Long> clOrdIds(SealedBatch sealed) {
        BatchView batch = new BatchView().wrap(sealed.signedBytes());
        OrderView order = new OrderView();
        List<Long> clOrdIds = new ArrayList<>(batch.orderCount());
        for (int i = 0; i < batch.orderCount(); i++) {
            clOrdIds.add(order.wrap(batch, i).clOrdId());
        }
        return List.copyOf(clOrdIds);
    }
}
