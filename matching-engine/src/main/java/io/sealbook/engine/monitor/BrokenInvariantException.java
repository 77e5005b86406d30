package io.sealbook.engine.monitor;

/**
 * Something that must hold does not: a gap in the blocks, a chain that breaks, a result that differs from the one published before.
 * The engine stops at once; a silent engine is safe, a lying one is not. The message holds what was expected and what came.
 */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BrokenInvariantException(String message) {
        super(message);
    }

    public BrokenInvariantException(String message, Throwable cause) {
        super(message, cause);
    }
}
