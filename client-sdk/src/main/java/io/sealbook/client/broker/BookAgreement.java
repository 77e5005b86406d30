package io.sealbook.client.broker;

import io.sealbook.client.BookDepth;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.PriceLevel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What engines have reported of one book: it is believed as soon as f + 1 of them have reported the same of a block.
 * Engines leave out states that a reader is too slow for, so that the newest states of each are kept. One thread.
 */
final class BookAgreement {
    /** Kept of each engine: states of different engines meet although some are left out. */
    static final int STATES_MAX = 64;

    private final int instrumentId;
    private final int levelsMax;
    private final long fromBlock;
    private final Map<Integer, Deque<BookDepth>> states = new HashMap<>();
    /** By engine, the block of its last state that is too old. */
    private final Map<Integer, Long> tooOld = new HashMap<>();

    /**
     * @param instrumentId of the book
     * @param levelsMax of each side
     * @param fromBlock states of earlier blocks do not count
     */
    BookAgreement(int instrumentId, int levelsMax, long fromBlock) {
        this.instrumentId = instrumentId;
        this.levelsMax = levelsMax;
        this.fromBlock = fromBlock;
    }

    /**
     * Takes what an engine reports.
     *
     * @param nodeId of the engine
     * @param depth as it came
     * @param needed number of engines that must report the same, f + 1
     * @return the state, if so many engines have reported it now
     */
    Optional<BookDepth> add(int nodeId, Depth depth, int needed) {
        if (depth.getInstrumentId() != instrumentId
                || depth.getBidsCount() > levelsMax
                || depth.getAsksCount() > levelsMax) {
            return Optional.empty();
        }
        if (depth.getBlockSequence() < fromBlock) {
            tooOld.put(nodeId, depth.getBlockSequence());
            return Optional.empty();
        }
        BookDepth state = new BookDepth(
                instrumentId,
                depth.getBlockSequence(),
                depth.getTimeNs(),
                levels(depth.getBidsList()),
                levels(depth.getAsksList()),
                depth.getHalted());
        Deque<BookDepth> ofNode = states.computeIfAbsent(nodeId, id -> new ArrayDeque<>());
        ofNode.addLast(state);
        if (ofNode.size() > STATES_MAX) {
            ofNode.removeFirst();
        }
        long sameCount =
                states.values().stream().filter(each -> each.contains(state)).count();
        return sameCount >= needed ? Optional.of(state) : Optional.empty();
    }

    private static List<BookDepth.Level> levels(List<PriceLevel> levels) {
        return levels.stream()
                .map(level -> new BookDepth.Level(level.getPrice(), level.getQuantity(), level.getOrderCount()))
                .toList();
    }

    /** Returns the last state of each engine for a message to people. */
    Map<Integer, String> lastAnswers() {
        Map<Integer, String> answers = new HashMap<>();
        tooOld.forEach((nodeId, block) -> answers.put(nodeId, "a book of block " + block + ", before " + fromBlock));
        states.forEach((nodeId, each) ->
                answers.put(nodeId, "another book of block " + each.getLast().blockSequence()));
        return answers;
    }
}
