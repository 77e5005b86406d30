package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * The sender has stored and verified the payloads of these batches. Goes to the primary; to everybody when a batch has
 * waited long.
 */
public record BatchAck(List<Digest> batchIds, int sender) implements Message {
    public BatchAck {
        batchIds = List.copyOf(batchIds);
    }
}
