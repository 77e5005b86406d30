package io.sealbook.node.block;

import io.sealbook.vocabulary.SessionKey;

/**
 * The headers of a block's batches, as the stages after admission need them. Batches are numbered from 0, in the
 * block's order.
 */
public interface BatchHeaders {
    /** Returns the number of batches. */
    int count();

    /** Returns the id of the batch's broker, an unsigned number. */
    int brokerId(int batch);

    /** Returns which of its broker's sessions the batch belongs to. */
    int session(int batch);

    /** Returns the number of the batch in its session, unsigned. */
    long number(int batch);

    /** Returns the last block that may hold the batch. */
    long validUntilBlock(int batch);

    /** Returns the number of orders in the batch. */
    int orderCount(int batch);

    /** Returns the session of the batch among those of all brokers. */
    default long sessionKey(int batch) {
        return SessionKey.of(brokerId(batch), session(batch));
    }

    /** Returns the number of orders in all batches. */
    default long orderCount() {
        long sum = 0;
        for (int batch = 0; batch < count(); batch++) {
            sum += orderCount(batch);
        }
        return sum;
    }
}
