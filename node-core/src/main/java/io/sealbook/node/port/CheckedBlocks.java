package io.sealbook.node.port;

/**
 * The verdict about an answer.
 *
 * @param fault what is wrong with the first block that is not right; empty when all are
 */
public record CheckedBlocks(ReceivedBlocks received, String fault) {
    public boolean isRight() {
        return fault.isEmpty();
    }
}
