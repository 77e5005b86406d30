package io.sealbook.archive;

/** Bytes that claim to be a block and are none; the message names the field, what was expected and what came. */
public final class MalformedBlockException extends IllegalArgumentException {
    MalformedBlockException(String fact) {
        super("malformed block: " + fact);
    }
}
