package io.sealbook.consensus.inspect;

/** A node runs in the directory: its files change while one looks. */
public final class RunningNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunningNodeException(String fact) {
        super(fact);
    }
}
