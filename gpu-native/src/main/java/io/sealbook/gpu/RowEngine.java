package io.sealbook.gpu;

/** Gives verdicts on rows: a CUDA device, or in tests something that fails in a known way. Thread-safe. */
interface RowEngine extends AutoCloseable {
    /**
     * Takes a request and returns at once. Each request submitted must be awaited.
     *
     * @throws io.sealbook.crypto.DeviceException if the engine has failed
     */
    void submit(RowRequest request);

    /**
     * Waits until the request has its verdicts.
     *
     * @throws io.sealbook.crypto.DeviceException if the engine failed or did not answer in time; it has ended then, and
     *     the request must not be used again
     */
    void await(RowRequest request);

    /** Returns what is to be known of the engine, in one line. */
    String description();

    @Override
    void close();
}
