package io.sealbook.client.submission;

import com.google.protobuf.ByteString;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.vocabulary.BatchPosition;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Goes on in the session of an outbox, once n - f nodes answer that the session is not beyond it: that they hold no
 * batch that it does not have, after its last one or under the number of one of its own. If a block held a batch beyond
 * it, at most 2f nodes would answer so: f that lie, and f that have not heard of the batch. Of these answers the f+1-th
 * highest delivered number is not above that of a correct node, and f low ones do not lower it. What f+1 nodes answer
 * is true at one correct node. Loop thread only.
 */
final class ResumingLogon implements Logon {
    private final AnswerQuorum quorum;
    private final EarlierRun earlier;
    private final BatchPosition next;
    private final String outbox;
    private final LongConsumer resumed;
    private final Map<Integer, SessionState> states = new TreeMap<>();
    private String failure;
    private boolean isDone;

    /**
     * @param quorum of the cluster
     * @param earlier what is in the outbox
     * @param resumed receives, once, the number up to which all batches are in blocks
     */
    ResumingLogon(AnswerQuorum quorum, EarlierRun earlier, LongConsumer resumed) {
        this.quorum = quorum;
        this.earlier = earlier;
        this.next = earlier.next();
        this.outbox = earlier.name();
        this.resumed = resumed;
    }

    @Override
    public void onReply(int nodeId, LogonReply reply) {
        if (isDone || failure != null) {
            return;
        }
        states.put(nodeId, SessionLogon.stateOf(reply, next.session()));
        if (isAgreed(SessionState::getSuspended)) {
            failure = "session " + next.session() + " of outbox " + outbox
                    + " is suspended, because two batches were signed under one number; go on in another session, with"
                    + " another outbox";
        } else if (isAgreed(this::isBeyondTheOutbox)) {
            failure = "nodes hold batches of session " + next.session() + " that outbox " + outbox
                    + ", which ends before number " + next.number()
                    + ", does not have: it is older than the session, or another program signs in it; go on in another"
                    + " session, with another outbox";
        } else if (states.size() - count(this::isBeyondTheOutbox) >= quorum.withoutFaulty()) {
            isDone = true;
            resumed.accept(delivered());
        }
    }

    @Override
    public void forget(int nodeId) {
        states.remove(nodeId);
    }

    private boolean isBeyondTheOutbox(SessionState state) {
        return Long.compareUnsigned(state.getExpectedNumber(), next.number()) > 0
                || earlier.previousOf(state.getExpectedNumber())
                        .filter(previous -> !state.getPrevious().equals(ByteString.copyFrom(previous.bytes())))
                        .isPresent();
    }

    private boolean isAgreed(Predicate<SessionState> fact) {
        return count(fact) >= quorum.needed();
    }

    private long count(Predicate<SessionState> fact) {
        return states.values().stream().filter(fact).count();
    }

    private long delivered() {
        long[] delivered = states.values().stream()
                .filter(state -> !isBeyondTheOutbox(state))
                .mapToLong(SessionState::getDeliveredNumber)
                .sorted()
                .toArray();
        return delivered[delivered.length - quorum.needed()];
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    @Override
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public Optional<String> obstacle() {
        if (isDone || states.isEmpty()) {
            return Optional.empty();
        }
        boolean isEnough = states.size() >= quorum.withoutFaulty();
        return Optional.of((isEnough ? "" : SessionLogon.tooFew(states.size(), quorum) + "; ") + "outbox " + outbox
                + " ends before number " + next.number() + " of session " + next.session()
                + (isEnough ? ", and nodes differ whether they hold a batch that it does not have" : "")
                + SessionLogon.describe(states));
    }
}
