package io.sealbook.access.rate;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * The end of a call whose place another one needs now. If its caller does not let the status be written, the call is
 * reset: else it had its place until the caller reads what was written before. Any thread.
 */
public final class EndAtOnce {
    /** {@link CallRateLimit} takes it out before anything is sent. */
    private static final Metadata.Key<String> MARK =
            Metadata.Key.of("sealbook-end-at-once", Metadata.ASCII_STRING_MARSHALLER);

    private EndAtOnce() {}

    /**
     * Returns what ends a call so, given to {@code onError} of its answers. The port must have {@link CallRateLimit};
     * without, the call ends as others do.
     */
    public static StatusRuntimeException of(Status status) {
        Metadata trailers = new Metadata();
        trailers.put(MARK, "");
        return status.asRuntimeException(trailers);
    }

    /** Returns whether a call that ends with these trailers ends so, and takes that out of them. */
    static boolean take(Metadata trailers) {
        return trailers.removeAll(MARK) != null;
    }
}
