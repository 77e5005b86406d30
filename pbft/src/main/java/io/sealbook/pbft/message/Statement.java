package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What signed bytes state, as far as another statement of the same replica can exclude it.
 *
 * @param kind of the statement
 * @param chainId of the chain
 * @param epoch its number, {@link #ANY} if the bytes name none
 * @param view {@link #ANY} if the bytes name none
 * @param sequence block, {@link #ANY} if the bytes name none
 * @param content one per kind, epoch, view and sequence is what a correct replica signs
 * @param sender {@link #ANY} if the bytes name none: the key alone shows it
 */
record Statement(Kind kind, long chainId, int epoch, long view, long sequence, Digest content, int sender) {
    static final int ANY = -1;

    private static final int PREFIX_LENGTH = 16;
    private static final int VOTE_LENGTH = PREFIX_LENGTH + 4 + 8 + 8 + Digest.LENGTH + 4;
    private static final int CHECKPOINT_LENGTH = PREFIX_LENGTH + 8 + 3 * Digest.LENGTH;
    private static final int NEW_VIEW_LENGTH_MIN = PREFIX_LENGTH + 4 + 8 + 4 + 4 + 4;
    private static final int VIEW_CHANGE_LENGTH = 4 + Digest.LENGTH;
    private static final int PRE_PREPARE_LENGTH = 8 + Digest.LENGTH;

    /** A PRE-PREPARE is its primary's PREPARE. */
    enum Kind {
        VOTE("vote"),
        CHECKPOINT("CHECKPOINT"),
        NEW_VIEW("NEW-VIEW");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Returns what signed bytes state; null if they are none of the kinds, or not of the form of their kind. */
    static Statement read(byte[] signed) {
        if (signed.length < PREFIX_LENGTH) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(signed).order(ByteOrder.LITTLE_ENDIAN);
        byte[] tag = new byte[8];
        bytes.get(tag);
        long chainId = bytes.getLong();
        return switch (new String(tag, StandardCharsets.US_ASCII)) {
            case "SBPPREP2", "SBPREPA2" -> signed.length == VOTE_LENGTH ? vote(chainId, bytes) : null;
            case "SBCHKPT2" -> signed.length == CHECKPOINT_LENGTH ? checkpoint(chainId, bytes) : null;
            case "SBNEWVW2" -> signed.length >= NEW_VIEW_LENGTH_MIN ? newView(chainId, bytes) : null;
            default -> null;
        };
    }

    private static Statement vote(long chainId, ByteBuffer bytes) {
        return new Statement(
                Kind.VOTE,
                chainId,
                bytes.getInt(),
                bytes.getLong(),
                bytes.getLong(),
                digest(bytes, bytes.position()),
                bytes.getInt(VOTE_LENGTH - 4));
    }

    private static Statement checkpoint(long chainId, ByteBuffer bytes) {
        return new Statement(
                Kind.CHECKPOINT,
                chainId,
                ANY,
                ANY,
                bytes.getLong(),
                digest(bytes, CHECKPOINT_LENGTH - Digest.LENGTH),
                ANY);
    }

    private static Statement newView(long chainId, ByteBuffer bytes) {
        int epoch = bytes.getInt();
        long view = bytes.getLong();
        long viewChanges = Integer.toUnsignedLong(bytes.getInt());
        long prePreparesAt = bytes.position() + viewChanges * VIEW_CHANGE_LENGTH;
        if (prePreparesAt > bytes.limit() - 8) {
            return null;
        }
        long prePrepares = Integer.toUnsignedLong(bytes.getInt((int) prePreparesAt));
        if (prePreparesAt + 4 + prePrepares * PRE_PREPARE_LENGTH + 4 != bytes.limit()) {
            return null;
        }
        int sender = bytes.getInt(bytes.limit() - 4);
        return new Statement(Kind.NEW_VIEW, chainId, epoch, view, ANY, Digest.sha256(bytes.array()), sender);
    }

    private static Digest digest(ByteBuffer bytes, int at) {
        return Digest.of(bytes.array(), at);
    }

    /** Returns whether a replica can have made the statement in an epoch. */
    boolean isMadeBy(int replica, Epoch in) {
        return chainId == in.chainId()
                && (epoch == ANY || epoch == in.number())
                && (sender == ANY || sender == replica);
    }

    /** Returns whether no correct replica makes both statements. */
    boolean excludes(Statement other) {
        return kind == other.kind
                && chainId == other.chainId
                && epoch == other.epoch
                && view == other.view
                && sequence == other.sequence
                && !content.equals(other.content);
    }

    String subject() {
        return kind.text + (view == ANY ? "" : " in view " + view) + (sequence == ANY ? "" : " for block " + sequence);
    }
}
