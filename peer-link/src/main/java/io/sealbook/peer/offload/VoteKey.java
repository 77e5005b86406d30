package io.sealbook.peer.offload;

import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.peer.check.VoteForm;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.peer.messagelog.MessageKey;

/**
 * The view and sequence under which a vote travels and is stored: those of its content, so that neither can contradict
 * the other.
 */
public final class VoteKey {
    private static final long NO_VIEW = 0;

    private VoteKey() {}

    /** Returns the frame content that carries a message. */
    public static FrameContent contentOf(Message message) {
        return new FrameContent(typeOf(message), view(message), sequence(message), PeerMessageCodec.encode(message));
    }

    private static FrameType typeOf(Message message) {
        return switch (PeerMessageCodec.kindOf(message)) {
            case PRE_PREPARE -> FrameType.PRE_PREPARE;
            case PREPARE -> FrameType.PREPARE;
            case COMMIT -> FrameType.COMMIT;
            case CHECKPOINT -> FrameType.CHECKPOINT;
            case CHECKPOINT_PROOF -> FrameType.CHECKPOINT_PROOF;
            case SUSPICION -> FrameType.SUSPICION;
            case VIEW_CHANGE -> FrameType.VIEW_CHANGE;
            case NEW_VIEW -> FrameType.NEW_VIEW;
            case BATCH_ACK -> FrameType.BATCH_ACK;
            case ARRIVALS -> FrameType.ARRIVALS;
            case STATUS -> FrameType.STATUS;
        };
    }

    /** Returns whether messages of this type carry signatures. */
    static boolean isSigned(FrameType type) {
        return switch (type) {
            case PRE_PREPARE, PREPARE, CHECKPOINT, CHECKPOINT_PROOF, SUSPICION, VIEW_CHANGE, NEW_VIEW, ARRIVALS -> true;
            case COMMIT, BATCH_ACK, STATUS, BATCHES, BATCH_REQUEST, BLOCK_REQUEST, BLOCKS, HEARTBEAT -> false;
        };
    }

    /** Returns whether a vote is about a sequence number that is settled. */
    static boolean isStale(FrameType type, long sequence, long stableSequence) {
        return switch (type) {
            case PRE_PREPARE, PREPARE, COMMIT, CHECKPOINT -> sequence <= stableSequence;
            case CHECKPOINT_PROOF, SUSPICION, VIEW_CHANGE, NEW_VIEW, BATCH_ACK, ARRIVALS, STATUS -> false;
            case BATCHES, BATCH_REQUEST, BLOCK_REQUEST, BLOCKS, HEARTBEAT -> false;
        };
    }

    /** Throws unless the key is that of the message, and an unsigned message is its sender's own. */
    static void require(Message message, MessageKey key) throws MalformedMessageException {
        boolean isKey = key.type() == typeOf(message).code()
                && key.view() == view(message)
                && (sequence(message) == FrameContent.NO_SEQUENCE || key.sequence() == sequence(message));
        if (!isKey) {
            throw new MalformedMessageException("content " + message.getClass().getSimpleName() + " under " + key, 0);
        }
        VoteForm.requireSender(message, key.source());
    }

    private static long view(Message message) {
        return switch (message) {
            case PrePrepare prePrepare -> prePrepare.view();
            case Prepare prepare -> prepare.view();
            case Commit commit -> commit.view();
            case Suspicion suspicion -> suspicion.view();
            case ViewChange viewChange -> viewChange.newView();
            case NewView newView -> newView.view();
            case Status status -> status.view();
            case Checkpoint ignored -> NO_VIEW;
            case CheckpointProof ignored -> NO_VIEW;
            case BatchAck ignored -> NO_VIEW;
            case Arrivals ignored -> NO_VIEW;
        };
    }

    private static long sequence(Message message) {
        return switch (message) {
            case PrePrepare prePrepare -> prePrepare.sequence();
            case Prepare prepare -> prepare.sequence();
            case Commit commit -> commit.sequence();
            case Checkpoint checkpoint -> checkpoint.sequence();
            case CheckpointProof proof -> proof.certificate().sequence();
            case Suspicion ignored -> FrameContent.NO_SEQUENCE;
            case ViewChange ignored -> FrameContent.NO_SEQUENCE;
            case NewView ignored -> FrameContent.NO_SEQUENCE;
            case BatchAck ignored -> FrameContent.NO_SEQUENCE;
            case Arrivals ignored -> FrameContent.NO_SEQUENCE;
            case Status ignored -> FrameContent.NO_SEQUENCE;
        };
    }
}
