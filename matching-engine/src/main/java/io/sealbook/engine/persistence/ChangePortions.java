package io.sealbook.engine.persistence;

import io.sealbook.engine.output.OutputMessages;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.util.function.Consumer;

/**
 * Collects the changes of blocks and hands them over in portions, so that the heap holds one portion however many
 * messages a block has. One thread.
 */
final class ChangePortions implements OutputMessages.Visitor {
    private final BlockChanges changes = new BlockChanges();
    private final int messagesMax;
    private final Consumer<BlockChanges> target;
    private int messages;

    /**
     * @param messagesMax number of reports and trades in a portion
     * @param target takes each portion, which is valid during the call
     */
    ChangePortions(int messagesMax, Consumer<BlockChanges> target) {
        this.messagesMax = messagesMax;
        this.target = target;
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
        changes.onReport(index, report, bytes, offset);
        count();
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        changes.onTrade(index, trade);
        count();
    }

    private void count() {
        messages++;
        if (messages == messagesMax) {
            handOver();
        }
    }

    /** Hands over what has been collected since the last portion, if that is anything. */
    void handOver() {
        if (messages > 0) {
            target.accept(changes);
            changes.clear();
            messages = 0;
        }
    }
}
