package io.sealbook.node.evidence;

import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Two statements under one identity key of a member that exclude each other, as bytes of a file.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       ASCII "SBDVOT01"
 *   8       8       chain id
 *   16      4       epoch
 *   20      4       member, from 0
 *   24      4       key id: how many identity keys the member had before this one
 *   28      4 + n   first statement, the bytes that were signed
 *   ..      4 + n   signature over it
 *   ..      4 + n   second statement
 *   ..      4 + n   signature over it
 *   ..      32      SHA-256 over all before
 * </pre>
 *
 * @param keyId which of the member's identity keys signed both
 * @param vote what was signed
 */
public record MemberEvidence(int keyId, DoubleVote vote) {
    /** A NEW-VIEW of 13 members with the largest window signs less. */
    public static final int LENGTH_MAX = 1 << 20;

    private static final byte[] MAGIC = "SBDVOT01".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 28;

    /** Returns the member. */
    public int member() {
        return vote.replica();
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        byte[][] parts = {
            vote.first(),
            vote.firstSignature().bytes(),
            vote.second(),
            vote.secondSignature().bytes()
        };
        int length = HEADER_LENGTH;
        for (byte[] part : parts) {
            length += Integer.BYTES + part.length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(length + Digest.LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .putLong(vote.epoch().chainId())
                .putInt(vote.epoch().number())
                .putInt(vote.replica())
                .putInt(keyId);
        for (byte[] part : parts) {
            buffer.putInt(part.length).put(part);
        }
        buffer.put(Digest.sha256(Arrays.copyOf(buffer.array(), length)).bytes());
        return buffer.array();
    }

    /**
     * Returns the evidence that the bytes of a file are; null if they are none, or prove nothing whatever the key. The
     * signatures are the caller's to verify.
     */
    public static MemberEvidence decode(byte[] bytes) {
        int length = bytes.length - Digest.LENGTH;
        if (length < HEADER_LENGTH || bytes.length > LENGTH_MAX) {
            return null;
        }
        byte[] content = Arrays.copyOf(bytes, length);
        ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[MAGIC.length];
        buffer.get(magic);
        if (!Arrays.equals(magic, MAGIC) || !Digest.sha256(content).equals(Digest.of(bytes, length))) {
            return null;
        }
        long chainId = buffer.getLong();
        int epoch = buffer.getInt();
        int member = buffer.getInt();
        int keyId = buffer.getInt();
        if (epoch < 0 || member < 0 || keyId < 0) {
            return null;
        }
        try {
            byte[] first = part(buffer, LENGTH_MAX);
            Signature firstSignature = Signature.of(part(buffer, Signature.LENGTH_MAX));
            byte[] second = part(buffer, LENGTH_MAX);
            Signature secondSignature = Signature.of(part(buffer, Signature.LENGTH_MAX));
            return buffer.hasRemaining()
                    ? null
                    : DoubleVote.of(member, new Epoch(chainId, epoch), first, firstSignature, second, secondSignature)
                            .map(vote -> new MemberEvidence(keyId, vote))
                            .orElse(null);
        } catch (BufferUnderflowException e) {
            // A length reaches beyond the end: the file was made by hand.
            return null;
        }
    }

    private static byte[] part(ByteBuffer buffer, int lengthMax) {
        int length = buffer.getInt();
        if (length < 0 || length > Math.min(lengthMax, buffer.remaining())) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        buffer.get(part);
        return part;
    }
}
