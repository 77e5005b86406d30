package io.sealbook.archive.tool;

import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;

/** Compares what {@code verify} reads with something else that is known of the chain. One thread. */
interface Comparison {
    /** Takes the next block of this archive. */
    void onBlock(Block block);

    /** Takes the next certificate of this archive. */
    void onCertificate(CheckpointCertificate certificate);

    /**
     * Prints what was compared.
     *
     * @param last block that was here
     * @return whether the newest block that is known is here and was compared; the chain leads from it to all before
     */
    boolean printEnd(long last);
}
