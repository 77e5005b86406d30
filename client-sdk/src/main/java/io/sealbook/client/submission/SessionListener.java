package io.sealbook.client.submission;

/** Hears what becomes of a session. */
interface SessionListener {
    /** A batch has left the line, once; on the thread that completes futures. */
    void onLeft(OutgoingBatch batch);

    /**
     * No further batch is taken; once, on the loop.
     *
     * @param number of the batch with which the session ends
     */
    void onEnded(long number);

    /**
     * Nodes have refused a number of the session, which cannot go on in a later run either; on the loop.
     *
     * @param number that no batch has in the chain
     * @param why what the nodes say
     */
    void onRefused(long number, String why);
}
