package io.sealbook.peer.messagelog;

import org.agrona.DirectBuffer;

/** Looks at one stored message. */
@FunctionalInterface
public interface MessageReader {
    /**
     * @param buffer holds the message at {@code offset}; valid until the message is released
     * @param length bytes of the message
     */
    void onMessage(MessageKey key, DirectBuffer buffer, int offset, int length);
}
