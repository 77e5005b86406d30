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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Chooses the session of a client that has no memory of its earlier batches. A session is free if n - f nodes report
 * the same last batch and that it is in a block: what an earlier program sent and no such node holds is lost for good.
 * Every other session may have batches under way, and a batch under one of their numbers would suspend it. Sessions
 * beyond the range belong to other programs: that they are free at present proves nothing. Loop thread only.
 */
final class SessionLogon implements Logon {
    /** Sessions that a message names. */
    private static final int NAMED_MAX = 4;

    private final AnswerQuorum quorum;
    private final SessionRange range;
    private final Consumer<BatchPosition> chosen;
    private final Map<Integer, LogonReply> replies = new HashMap<>();
    private BatchPosition position;

    /**
     * @param quorum of the cluster
     * @param range sessions of the program, which are tried in turn
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
        if (replies.size() < quorum.withoutFaulty()) {
            return;
        }
        for (int session = range.first(); session <= range.last(); session++) {
            Optional<BatchPosition> free = free(session);
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

    private Optional<BatchPosition> free(int session) {
        Map<SessionState, Integer> votes = new HashMap<>();
        for (LogonReply reply : replies.values()) {
            SessionState state = stateOf(reply, session);
            boolean isFree = !state.getSuspended() && state.getDeliveredNumber() + 1 == state.getExpectedNumber();
            if (isFree && votes.merge(state, 1, Integer::sum) >= quorum.withoutFaulty()) {
                return Optional.of(new BatchPosition(
                        session,
                        state.getExpectedNumber(),
                        Digest.of(state.getPrevious().toByteArray())));
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> obstacle() {
        if (isDone() || replies.isEmpty()) {
            return Optional.empty();
        }
        String fact =
                replies.size() < quorum.withoutFaulty() ? tooFew(replies.size(), quorum) + "; " : range + " not free: ";
        return Optional.of(IntStream.rangeClosed(range.first(), Math.min(range.last(), range.first() + NAMED_MAX - 1))
                .mapToObj(this::obstacle)
                .collect(Collectors.joining("; ", fact, "")));
    }

    private String obstacle(int session) {
        Map<Integer, SessionState> states = new TreeMap<>();
        replies.forEach((node, reply) -> states.put(node, stateOf(reply, session)));
        boolean isSuspended =
                states.values().stream().filter(SessionState::getSuspended).count() >= quorum.needed();
        String fact = replies.size() < quorum.withoutFaulty() ? "" : " has batches under way";
        return "session " + session + (isSuspended ? " is suspended" : fact) + describe(states);
    }

    /** Returns that fewer nodes have answered than must. */
    static String tooFew(int answers, AnswerQuorum quorum) {
        return "too few nodes answered: " + answers + " of the " + quorum.withoutFaulty() + " that are needed";
    }

    /** Returns where a session is at each node, in brackets. */
    static String describe(Map<Integer, SessionState> states) {
        return states.entrySet().stream()
                .map(each ->
                        "node " + each.getKey() + " has " + (each.getValue().getExpectedNumber() - 1) + ", "
                                + each.getValue().getDeliveredNumber() + " in blocks"
                                + (each.getValue().getSuspended() ? ", and suspends it" : ""))
                .collect(Collectors.joining("; ", " (", ")"));
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
