package io.sealbook.node.port;

import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import java.util.Optional;

/**
 * What a peer sent in the place of something damaged: a block or a certificate.
 *
 * @param source member that sent it
 * @param block of the hash that the chain names
 * @param certificate of a block of this chain
 */
public record RepairAnswer(int source, Optional<Block> block, Optional<CheckpointCertificate> certificate) {
    /**
     * Returns an answer with a block.
     *
     * @param source member that sent it
     * @param block of the hash that the chain names
     */
    public static RepairAnswer of(int source, Block block) {
        return new RepairAnswer(source, Optional.of(block), Optional.empty());
    }

    /**
     * Returns an answer with a certificate.
     *
     * @param source member that sent it
     * @param certificate not checked
     */
    public static RepairAnswer of(int source, CheckpointCertificate certificate) {
        return new RepairAnswer(source, Optional.empty(), Optional.of(certificate));
    }
}
