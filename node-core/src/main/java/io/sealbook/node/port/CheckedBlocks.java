package io.sealbook.node.port;

import io.sealbook.node.block.DecodedBlock;
import java.util.List;

/**
 * The verdict about an answer.
 *
 * @param received the answer
 * @param fault what is wrong with the first block that is not right; empty when all are
 * @param blocks of the answer, in order, with the headers that the check decoded; none if there is a fault
 */
public record CheckedBlocks(ReceivedBlocks received, String fault, List<DecodedBlock> blocks) {
    public boolean isRight() {
        return fault.isEmpty();
    }
}
