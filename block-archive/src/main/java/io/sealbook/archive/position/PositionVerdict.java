package io.sealbook.archive.position;

import io.sealbook.protocol.report.Position;
import java.util.List;
import java.util.OptionalLong;

/** What the verification of a position proof found. */
public sealed interface PositionVerdict {
    /**
     * The broker's orders had these fills, and no others, up to a report.
     *
     * @param block of that report
     * @param nextBlock of the next report, if the proof has it: nothing changes from {@code block} to the block before
     *     it; if it is the same block, the positions are those within the block
     * @param positions by account and instrument, in ascending order
     */
    record PositionsProven(long block, OptionalLong nextBlock, List<AccountPosition> positions)
            implements PositionVerdict {
        public PositionsProven {
            positions = List.copyOf(positions);
        }
    }

    /**
     * What one account has bought and sold of one instrument by the broker's orders.
     *
     * @param accountId unsigned
     * @param instrumentId unsigned
     * @param position sums of fills
     */
    record AccountPosition(int accountId, int instrumentId, Position position) {}

    /** Nothing is proven; {@code fact} says what was expected and what came. */
    record PositionsRefused(String fact) implements PositionVerdict {}
}
