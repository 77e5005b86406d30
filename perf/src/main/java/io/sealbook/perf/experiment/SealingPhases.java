package io.sealbook.perf.experiment;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSigner;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Takes a fixed number of a broker's batches through three phases and times each: orders are assembled, a batch of them
 * is encoded and gets its id, and is signed. Chunks of batches go through one phase after another, so that each phase
 * has its time and memory stays small. Counts processor time of its own thread.
 */
final class SealingPhases implements Callable<SealingPhases.Times> {
    static final int CHUNK = 512;
    private static final long CHAIN_ID = 1;
    private static final long VALID_UNTIL = 1_000;
    private static final long PRICE = 10_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int session;
    private final int count;
    private final int orderCount;
    private final int together;
    private final Signer signer;

    /**
     * @param session of the batches; one for each thread
     * @param count number of batches, at least 1
     * @param orderCount orders in each
     * @param together batches in one call of the signer
     * @param signer signs them
     */
    SealingPhases(int session, int count, int orderCount, int together, Signer signer) {
        this.session = session;
        this.count = count;
        this.orderCount = orderCount;
        this.together = together;
        this.signer = signer;
    }

    /**
     * Processor time of each phase, in nanoseconds.
     *
     * @param assemblyNs of making the orders
     * @param encodingNs of writing their bytes and hashing them to the batch's id
     * @param signingNs of the signatures
     */
    record Times(long assemblyNs, long encodingNs, long signingNs) {
        Times plus(Times other) {
            return new Times(assemblyNs + other.assemblyNs, encodingNs + other.encodingNs, signingNs + other.signingNs);
        }
    }

    /** @throws IllegalStateException if the last batch does not verify */
    @Override
    public Times call() {
        SessionEncoder encoder =
                new SessionEncoder(CHAIN_ID, 1, 1, signer.scheme(), orderCount, BatchPosition.first(session));
        BatchSigner batchSigner = new BatchSigner(CHAIN_ID, signer);
        Times times = new Times(0, 0, 0);
        SealedBatch last = null;
        for (int done = 0; done < count; done += CHUNK) {
            int size = Math.min(CHUNK, count - done);
            long startNs = THREADS.getCurrentThreadCpuTime();
            List<List<Order>> chunk = assemble(done, size);
            long assembledNs = THREADS.getCurrentThreadCpuTime();
            List<SealedBatch> batches = encode(encoder, chunk);
            long encodedNs = THREADS.getCurrentThreadCpuTime();
            sign(batchSigner, batches);
            long signedNs = THREADS.getCurrentThreadCpuTime();
            times = times.plus(new Times(assembledNs - startNs, encodedNs - assembledNs, signedNs - encodedNs));
            last = batches.getLast();
        }
        if (!SealCheck.verifies(signer.verificationKey(), CHAIN_ID, last)) {
            throw new IllegalStateException("the last batch of session " + session + " does not verify");
        }
        return times;
    }

    private List<List<Order>> assemble(int first, int size) {
        List<List<Order>> batches = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            List<Order> orders = new ArrayList<>(orderCount);
            long clOrdId = (long) (first + i) * orderCount;
            for (int j = 0; j < orderCount; j++) {
                orders.add(Order.limit(++clOrdId, 1, 1, j % 2 == 0 ? Side.BUY : Side.SELL, PRICE + j, 100));
            }
            batches.add(orders);
        }
        return batches;
    }

    private static List<SealedBatch> encode(SessionEncoder encoder, List<List<Order>> chunk) {
        List<SealedBatch> batches = new ArrayList<>(chunk.size());
        for (List<Order> orders : chunk) {
            batches.add(encoder.encode(orders, VALID_UNTIL, 0));
        }
        return batches;
    }

    private void sign(BatchSigner batchSigner, List<SealedBatch> batches) {
        for (int from = 0; from < batches.size(); from += together) {
            batchSigner.signAll(batches.subList(from, Math.min(from + together, batches.size())));
        }
    }
}
