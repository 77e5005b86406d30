package io.sealbook.peer.messagelog;

import org.agrona.DirectBuffer;

/** Reads one stored message. */
@FunctionalInterface
public interface MessageReader {
    /**
     * Reads the message.
     *
     * @param key type, view, sequence and source of the message
     * @param buffer holds the message; valid until the message is released
     * @param offset of the message's first byte
     * @param length bytes of the message
     */
    void onMessage(MessageKey key, DirectBuffer buffer, int offset, int length);
}
