package io.sealbook.node.agent;

import io.sealbook.node.session.Sessions;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Hands agreement the batches of each session in the order of their numbers: peers spread them on several connections,
 * so that one may become durable before the one that it follows. It waits here until then.
 *
 * <p>What a proposal names goes on at once: others may have voted for it. So does what agreement keeps only if a
 * proposal names it, and a batch whose number is taken. The rings of {@link io.sealbook.node.session.Sessions} bound
 * what waits.
 *
 * <p>Agent thread only: blocks and batches of one session come in one order here.
 */
final class SessionOrder {
    /** A session whose broker gives it any number at random could fill the memory with marks otherwise. */
    private static final int MARKS_MAX = 2_048;

    /** One session. */
    private static final class Line {
        /** Agreement has all batches of the session up to this number. */
        long passed;
        /** Those beyond, by number; null if agreement has it already. */
        final TreeMap<Long, Input.BatchAvailable> waiting = new TreeMap<>(Long::compareUnsigned);

        void pass(Consumer<Input> agreement) {
            while (!waiting.isEmpty() && Long.compareUnsigned(waiting.firstKey(), passed + 1) <= 0) {
                passed = Long.compareUnsigned(waiting.firstKey(), passed) > 0 ? waiting.firstKey() : passed;
                Input.BatchAvailable next = waiting.pollFirstEntry().getValue();
                if (next != null) {
                    agreement.accept(next);
                }
            }
        }
    }

    private final Map<Long, Line> lines = new HashMap<>();
    private final Map<Digest, SessionEnd> waiting = new HashMap<>();
    private final Consumer<Input> agreement;
    /** Blocks could not be read at the start: nobody knows the number that a session goes on with. */
    private final boolean isOrderUnknown;

    /**
     * @param sessions how far each had come when the node started
     * @param agreement takes the batches in order
     */
    SessionOrder(Sessions sessions, Consumer<Input> agreement) {
        this.agreement = agreement;
        isOrderUnknown = sessions.isIncomplete();
        sessions.heads().forEach(head -> line(head.sessionKey()).passed = head.delivered());
    }

    private Line line(long sessionKey) {
        return lines.computeIfAbsent(sessionKey, key -> new Line());
    }

    /** A batch is durable. */
    void onAvailable(Input.BatchAvailable batch) {
        SessionEnd end = batch.end();
        Line line = line(end.sessionKey());
        boolean isPassed = Long.compareUnsigned(end.number(), line.passed) <= 0;
        if (isPassed || isOrderUnknown || batch.isOnlyIfNamed() || line.waiting.containsKey(end.number())) {
            agreement.accept(batch);
            return;
        }
        line.waiting.put(end.number(), batch);
        waiting.put(end.id(), end);
        pass(line);
    }

    private void pass(Line line) {
        line.pass(batch -> {
            waiting.remove(((Input.BatchAvailable) batch).end().id());
            agreement.accept(batch);
        });
    }

    /** These batches need not wait any more: a proposal names them, or agreement is to forget them. */
    void release(Collection<Digest> batchIds) {
        for (Digest batchId : batchIds) {
            SessionEnd end = waiting.remove(batchId);
            if (end == null) {
                continue;
            }
            Line line = line(end.sessionKey());
            Input.BatchAvailable batch = line.waiting.remove(end.number());
            if (end.number() - line.passed <= MARKS_MAX) {
                line.waiting.put(end.number(), null);
            }
            agreement.accept(batch);
        }
    }

    /** A block came from a peer's archive, after agreement has learned of it. */
    void onTransferred(List<SessionEnd> batches) {
        for (SessionEnd end : batches) {
            Line line = line(end.sessionKey());
            if (Long.compareUnsigned(end.number(), line.passed) > 0) {
                line.passed = end.number();
            }
            pass(line);
        }
    }

    /** Returns how many batches wait for the one before them. */
    int waitingCount() {
        return waiting.size();
    }
}
