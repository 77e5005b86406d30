package io.sealbook.peer.handshake;

/**
 * The keys of one direction of one session.
 *
 * @param codeKey 32 bytes, for the codes of frames
 * @param recordKey 32 bytes, for the encryption of records
 */
public record DirectionKeys(byte[] codeKey, byte[] recordKey) {
    @Override
    public String toString() {
        return "DirectionKeys"; // Keys stay out of logs.
    }
}
