package io.sealbook.client.submission;

import com.google.protobuf.ByteString;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Chooses the session of a client that has no memory of its earlier batches. A session is free if n - f nodes report
 * the same last batch and that it is in a block: what an earlier program sent and no such node holds is lost for good.
 * Every other session may have batches under way, and a batch under one of their numbers would suspend it. Loop thread
 * only.
 */
final class SessionLogon implements Logon {
    private final AnswerQuorum quorum;
    private final SessionRange range;
    private final Consumer<BatchPosition> chosen;
    private final Map<Integer, LogonReply> replies = new HashMap<>();
    private BatchPosition position;

    /**
     * @param quorum of the cluster
     * @param range sessions of a broker; the ones after the first are tried in turn
     * @param chosen receives the position of the first batch, once
     */
    SessionLogon(AnswerQuorum quorum, SessionRange range, Consumer<BatchPosition> chosen) {
        this.quorum = quorum;
        this.range = range;
        this.chosen = chosen;
    }

    @Override
    public boolean isDone() {
        return position != null;
    }

    @Override
    public Optional<String> failure() {
        return Optional.empty(); // A session may become free at any time.
    }

    @Override
    public void onReply(int nodeId, LogonReply reply) {
        if (isDone()) {
            return;
        }
        replies.put(nodeId, reply);
        int neededEqual = quorum.withoutFaulty();
        if (replies.size() < neededEqual) {
            return;
        }
        for (int i = 0; i < range.count(); i++) {
            Optional<BatchPosition> free = free((range.first() + i) % range.count(), neededEqual);
            if (free.isPresent()) {
                position = free.get();
                chosen.accept(position);
                return;
            }
        }
    }

    @Override
    public void forget(int nodeId) {
        replies.remove(nodeId);
    }

    private Optional<BatchPosition> free(int session, int neededEqual) {
        Map<SessionState, Integer> votes = new HashMap<>();
        for (LogonReply reply : replies.values()) {
            SessionState state = stateOf(reply, session);
            boolean isFree = !state.getSuspended() && state.getDeliveredNumber() + 1 == state.getExpectedNumber();
            if (isFree && votes.merge(state, 1, Integer::sum) >= neededEqual) {
                return Optional.of(new BatchPosition(
                        session,
                        state.getExpectedNumber(),
                        Digest.of(state.getPrevious().toByteArray())));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns where a session is at a node.
     *
     * @param reply of the node
     * @param session one that has had no batch there is at its beginning
     */
    static SessionState stateOf(LogonReply reply, int session) {
        return reply.getSessionsList().stream()
                .filter(state -> state.getSession() == session)
                .findFirst()
                .orElseGet(() -> SessionState.newBuilder()
                        .setSession(session)
                        .setExpectedNumber(1)
                        .setPrevious(ByteString.copyFrom(Digest.ZERO.bytes()))
                        .build());
    }
}
