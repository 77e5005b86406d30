package io.sealbook.engine.monitor;

/** The phase of an engine's life. */
public enum EnginePhase {
    /** Reads its snapshot and opens its files. */
    STARTING,
    /** Executes blocks again whose results it had published before. */
    REPLAYING,
    /** Executes new blocks as they come. */
    TAILING,
    /** Stopped in order. */
    STOPPED,
    /** Stopped because an invariant broke or a file could not be written. */
    FAILED
}
