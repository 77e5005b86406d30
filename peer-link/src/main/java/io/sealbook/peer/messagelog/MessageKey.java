package io.sealbook.peer.messagelog;

/**
 * The key of a peer message (peer-link/doc/peer-protocol.md, section 2).
 *
 * @param type 1..255
 * @param view view number, or 0 where the type has none
 * @param sequence sequence number, or the sender's frame counter where the type has none
 * @param source replica that sent it, 0..65535
 */
public record MessageKey(int type, long view, long sequence, int source) {
    public MessageKey {
        if (type < 0 || type > 0xFF || source < 0 || source > 0xFFFF) {
            throw new IllegalArgumentException("message key: type " + type + ", source " + source);
        }
    }

    /** Returns type and source in one word, as the slot stores them. */
    long kind() {
        return (long) type << 16 | source;
    }
}
