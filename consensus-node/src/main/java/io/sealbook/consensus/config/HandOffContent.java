package io.sealbook.consensus.config;

/** What the queue from a node to its local engine carries. */
public enum HandOffContent {
    /** The place of each block in the archive, which the engine must be able to read. */
    PLACES,
    /** Each block itself, with its signed batches: the engine needs the queue alone to execute. */
    BLOCKS
}
