package io.sealbook.peer.message;

import io.sealbook.pbft.ReplicaRecord;
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
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of agreement and records of the replica log as bytes; drawn in {@code peer-link/doc/peer-protocol.md}.
 *
 * <p>All integers little-endian. The first byte is {@link #VERSION}, the second the kind: for messages that of their
 * {@link MessageKind}, for records 33 and up. Decoding accepts exactly what encoding makes; anything else is a
 * {@link MalformedMessageException} that names the offset. Stateless; any thread.
 */
public final class PeerMessageCodec {
    /** First byte of every message and record. */
    public static final int VERSION = 4;

    /** Nodes of an epoch; no list of them is longer, whatever configuration the reader knows. */
    public static final int REPLICAS_MAX = 64;

    /**
     * Bytes of the longest NEW-VIEW whose proposals stand in place. A longer one would pass no frame, and has each
     * proposal once. It is another kind for builds that do not know it, as long ones were useless to them.
     */
    public static final int IN_PLACE_LENGTH_MAX = (16 << 20) - 2;

    private static final int NEW_VIEW_SHARED = 12;
    private static final int VIEW_LEFT = 33;
    private static final int VIEW_ENTERED = 34;
    private static final int ACCEPTED = 35;
    private static final int PREPARED = 36;
    private static final int STABLE = 37;
    private static final int ISOLATED = 38;
    private static final int ISOLATION_ENDED = 39;
    private static final int EPOCH_BEGAN = 40;
    private static final int VIEW_ENTERED_SHARED = 41;

    private PeerMessageCodec() {}

    /** Returns the kind of this message. */
    public static MessageKind kindOf(Message message) {
        return switch (message) {
            case PrePrepare ignored -> MessageKind.PRE_PREPARE;
            case Prepare ignored -> MessageKind.PREPARE;
            case Commit ignored -> MessageKind.COMMIT;
            case Checkpoint ignored -> MessageKind.CHECKPOINT;
            case CheckpointProof ignored -> MessageKind.CHECKPOINT_PROOF;
            case Suspicion ignored -> MessageKind.SUSPICION;
            case ViewChange ignored -> MessageKind.VIEW_CHANGE;
            case NewView ignored -> MessageKind.NEW_VIEW;
            case BatchAck ignored -> MessageKind.BATCH_ACK;
            case Arrivals ignored -> MessageKind.ARRIVALS;
            case Status ignored -> MessageKind.STATUS;
        };
    }

    public static byte[] encode(Message message) {
        WireWriter out = new WireWriter().putByte(VERSION);
        if (message instanceof NewView newView && isShared(newView)) {
            MessageBody.write(out.putByte(NEW_VIEW_SHARED), newView, new Proposals.Shared());
            return out.bytes();
        }
        out.putByte(kindOf(message).code());
        switch (message) {
            case PrePrepare prePrepare -> MessageBody.write(out, prePrepare);
            case Prepare prepare -> {
                out.putLong(prepare.view()).putLong(prepare.sequence()).putDigest(prepare.digest());
                MessageBody.write(out, prepare.sender(), prepare.signature());
            }
            case Commit commit ->
                out.putLong(commit.view())
                        .putLong(commit.sequence())
                        .putDigest(commit.digest())
                        .putShort(commit.sender());
            case Checkpoint checkpoint -> {
                out.putLong(checkpoint.sequence())
                        .putDigest(checkpoint.chainHash())
                        .putDigest(checkpoint.resultDigest())
                        .putDigest(checkpoint.proposalDigest());
                MessageBody.write(out, checkpoint.sender(), checkpoint.signature());
            }
            case CheckpointProof proof -> {
                MessageBody.write(out, proof.certificate());
                out.putShort(proof.sender());
            }
            case Suspicion suspicion -> MessageBody.write(out, suspicion);
            case ViewChange viewChange -> MessageBody.write(out, viewChange);
            case NewView newView -> MessageBody.write(out, newView, Proposals.IN_PLACE);
            case BatchAck ack -> {
                MessageBody.writeEnds(out, ack.ends());
                out.putShort(ack.sender());
            }
            case Arrivals arrivals -> MessageBody.write(out, arrivals);
            case Status status ->
                out.putLong(status.view())
                        .putByte(status.isViewActive() ? 1 : 0)
                        .putLong(status.stableSequence())
                        .putLong(status.lastDelivered())
                        .putShort(status.sender());
        }
        return out.bytes();
    }

    public static byte[] encode(ReplicaRecord record) {
        WireWriter out = new WireWriter().putByte(VERSION);
        switch (record) {
            case ReplicaRecord.ViewLeft left -> {
                out.putByte(VIEW_LEFT).putLong(left.newView());
                MessageBody.writeSuspicions(out, left.suspicions());
            }
            case ReplicaRecord.ViewEntered entered -> {
                boolean isShared = isShared(entered.newView());
                out.putByte(isShared ? VIEW_ENTERED_SHARED : VIEW_ENTERED);
                MessageBody.write(out, entered.newView(), isShared ? new Proposals.Shared() : Proposals.IN_PLACE);
            }
            case ReplicaRecord.Accepted accepted -> MessageBody.write(out.putByte(ACCEPTED), accepted.prePrepare());
            case ReplicaRecord.Prepared prepared -> {
                out.putByte(PREPARED).putLong(prepared.view()).putLong(prepared.sequence());
                MessageBody.write(out.putDigest(prepared.digest()), prepared.prepares());
            }
            case ReplicaRecord.Stable stable -> MessageBody.write(out.putByte(STABLE), stable.certificate());
            case ReplicaRecord.Isolated isolated -> {
                out.putByte(ISOLATED).putLong(isolated.checkpoint());
                MessageBody.write(out, isolated.own());
                MessageBody.write(out, isolated.agreed());
            }
            case ReplicaRecord.IsolationEnded ended ->
                out.putByte(ISOLATION_ENDED).putLong(ended.checkpoint());
            case ReplicaRecord.EpochBegan began ->
                MessageBody.write(out.putByte(EPOCH_BEGAN).putInt(began.epoch()), began.origin());
        }
        return out.bytes();
    }

    private static boolean isShared(NewView newView) {
        return MessageBody.lengthInPlace(newView) > IN_PLACE_LENGTH_MAX;
    }

    public static Message decode(byte[] bytes) throws MalformedMessageException {
        return decode(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /**
     * Decodes a message.
     *
     * @param buffer holds the message; stays the caller's
     * @param offset of the message's first byte
     * @param length bytes of the message
     * @throws MalformedMessageException if the bytes are no message, or bytes follow it
     */
    public static Message decode(DirectBuffer buffer, int offset, int length) throws MalformedMessageException {
        WireReader in = new WireReader(buffer, offset, length);
        int code = kind(in);
        if (code == NEW_VIEW_SHARED) {
            return readShared(in);
        }
        MessageKind kind = MessageKind.of(code);
        if (kind == null) {
            throw in.malformed("message kind is " + code, 1);
        }
        Message message = switch (kind) {
            case PRE_PREPARE -> MessageBody.readPrePrepare(in);
            case PREPARE ->
                new Prepare(
                        in.natural("view"),
                        in.natural("sequence"),
                        in.digest("digest"),
                        in.unsignedShort("sender"),
                        MessageBody.readSignature(in));
            case COMMIT ->
                new Commit(in.natural("view"), in.natural("sequence"), in.digest("digest"), in.unsignedShort("sender"));
            case CHECKPOINT ->
                new Checkpoint(
                        in.natural("sequence"),
                        in.digest("chain hash"),
                        in.digest("result digest"),
                        in.digest("proposal digest"),
                        in.unsignedShort("sender"),
                        MessageBody.readSignature(in));
            case CHECKPOINT_PROOF ->
                new CheckpointProof(MessageBody.readStableCertificate(in), in.unsignedShort("sender"));
            case SUSPICION -> MessageBody.readSuspicion(in);
            case VIEW_CHANGE -> MessageBody.readViewChange(in);
            case NEW_VIEW -> MessageBody.readNewView(in, Proposals.IN_PLACE);
            case BATCH_ACK -> new BatchAck(MessageBody.readEnds(in, BatchAck.ENDS_MAX), in.unsignedShort("sender"));
            case ARRIVALS -> MessageBody.readArrivals(in);
            case STATUS ->
                new Status(
                        in.natural("view"),
                        in.flag("view is active"),
                        in.natural("stable sequence"),
                        in.natural("last delivered"),
                        in.unsignedShort("sender"));
        };
        in.requireEnd();
        return message;
    }

    public static ReplicaRecord decodeRecord(byte[] bytes) throws MalformedMessageException {
        WireReader in = new WireReader(new UnsafeBuffer(bytes), 0, bytes.length);
        int kind = kind(in);
        ReplicaRecord record = switch (kind) {
            case VIEW_LEFT -> new ReplicaRecord.ViewLeft(in.natural("new view"), MessageBody.readSuspicions(in));
            case VIEW_ENTERED -> new ReplicaRecord.ViewEntered(MessageBody.readNewView(in, Proposals.IN_PLACE));
            case VIEW_ENTERED_SHARED -> new ReplicaRecord.ViewEntered(readShared(in));
            case ACCEPTED -> new ReplicaRecord.Accepted(MessageBody.readPrePrepare(in));
            case PREPARED ->
                new ReplicaRecord.Prepared(
                        in.natural("view"),
                        in.natural("sequence"),
                        in.digest("digest"),
                        MessageBody.readReplicaSignatures(in));
            case STABLE -> new ReplicaRecord.Stable(MessageBody.readStableCertificate(in));
            case ISOLATED ->
                new ReplicaRecord.Isolated(
                        in.natural("checkpoint"), MessageBody.readOutcome(in), MessageBody.readOutcome(in));
            case ISOLATION_ENDED -> new ReplicaRecord.IsolationEnded(in.natural("checkpoint"));
            case EPOCH_BEGAN ->
                new ReplicaRecord.EpochBegan(in.naturalInt("epoch"), MessageBody.readStableCertificate(in));
            default -> throw in.malformed("record kind is " + kind, 1);
        };
        in.requireEnd();
        return record;
    }

    private static NewView readShared(WireReader in) throws MalformedMessageException {
        NewView newView = MessageBody.readNewView(in, new Proposals.Shared());
        in.requireEnd();
        if (!isShared(newView)) {
            throw in.malformed("proposals of a NEW-VIEW stand apart that fit in place", 0);
        }
        return newView;
    }

    private static int kind(WireReader in) throws MalformedMessageException {
        int version = in.unsignedByte("version");
        if (version != VERSION) {
            throw in.malformed("version is " + version, 1);
        }
        return in.unsignedByte("kind");
    }
}
