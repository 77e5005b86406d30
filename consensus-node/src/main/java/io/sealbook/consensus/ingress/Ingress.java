package io.sealbook.consensus.ingress;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.vocabulary.Digest;

/** The way of a received batch to its verdict: it is decoded, its signature is verified, and admission decides. */
public interface Ingress extends AutoCloseable {
    void start();

    /**
     * Takes a batch; waits for no room. Event loops of connections.
     *
     * @param source gets the verdict, unless there is no room
     * @param correlationId of the source's choice; returned with the verdict
     * @param bytes handed over; must not be changed afterwards
     * @param knownBatchId SHA-256 of the batch if the caller has computed it, else null
     * @return false if there is no room; there is no verdict then
     */
    boolean offer(BatchSource source, long correlationId, byte[] bytes, Digest knownBatchId);

    /** Returns the number of batches that have arrived and are not decided. Any thread. */
    long depth();

    /** Gives verdicts to what has arrived, then ends. */
    @Override
    void close();
}
