package io.sealbook.node.agent;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.session.EndedKeys;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The batches here whose key has ended. No replica waits for one, and its number is free for a batch under another key.
 * It is kept while a proposal names it, because others may have voted for that. A session that was suspended for a
 * batch under such a key goes on.
 *
 * <p>All of it follows from the blocks that this node has executed, so that all correct nodes come to do the same.
 * Agent thread only.
 */
final class EndedBatches {
    private final AgentContext context;
    private final EndedKeys endedKeys;
    private final SessionOrder order;
    private final Consumer<Input> agreement;
    /** Those that are kept, by their ids. */
    private final Map<Digest, SessionEnd> kept = new LinkedHashMap<>();

    /**
     * @param context has the keys, and what waits
     * @param order has what agreement does not hold in order
     * @param agreement takes what the replica is to be fed with
     */
    EndedBatches(AgentContext context, SessionOrder order, Consumer<Input> agreement) {
        this.context = context;
        this.endedKeys = context.endedKeys();
        this.order = order;
        this.agreement = agreement;
    }

    /** Transactions are executed: keys may have ended. Returns what is not needed here any more. */
    List<SessionEnd> onKeysEnded() {
        List<SessionEnd> needless = new ArrayList<>();
        if (!endedKeys.isEmpty()) {
            for (Payload payload : context.payloads().matching(each -> endedKeys.hasSigned(each.signedBatch()))) {
                drop(payload.available().end(), needless);
            }
            context.sessions().suspended().forEach(this::resumeIfVoid);
        }
        return needless;
    }

    /** A batch is durable, and {@link SessionOrder} has it. Returns what is not needed here any more. */
    List<SessionEnd> onAvailable(SessionEnd end) {
        List<SessionEnd> needless = new ArrayList<>();
        if (order.isEnded(end)) {
            drop(end, needless);
        }
        return needless;
    }

    /** Proposals name other batches than before. Returns what is not needed here any more. */
    List<SessionEnd> dropUnnamed() {
        List<SessionEnd> needless = new ArrayList<>();
        List.copyOf(kept.values()).forEach(end -> drop(end, needless));
        return needless;
    }

    /** What agreement drops it names itself. */
    private void drop(SessionEnd end, List<SessionEnd> needless) {
        agreement.accept(new Input.BatchVoided(end));
        context.sessions().forgetFrom(end.sessionKey(), end.number(), end.id());
        if (order.onEnded(end)) {
            needless.add(end);
        }
        if (order.has(end)) {
            kept.put(end.id(), end);
        } else {
            kept.remove(end.id());
        }
    }

    /**
     * Looks at a session that is suspended, or was when the caller learned of it.
     *
     * @return whether it goes on, because the key of a batch of its evidence has ended
     */
    boolean resumeIfVoid(long sessionKey) {
        if (context.evidence().counts(sessionKey, endedKeys)) {
            return false;
        }
        if (context.sessions().isSuspended(sessionKey)) {
            context.sessions().resume(sessionKey);
            agreement.accept(new Input.SessionResumed(sessionKey));
            order.onResumed(sessionKey);
        }
        return true;
    }
}
