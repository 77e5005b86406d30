package io.sealbook.pbft;

import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Which proposal a script means by the one before: the first that the script names for that sequence, or a block that
 * nothing describes. {@code after} names another one.
 */
final class ScriptChain {
    private final Map<Long, Digest> first = new HashMap<>(Map.of(0L, Digest.ZERO));

    /** Notes a proposal; only the first of a sequence counts. */
    void add(long sequence, Digest proposal) {
        first.putIfAbsent(sequence, proposal);
    }

    /** Returns the digest of the proposal of this sequence. */
    Digest at(long sequence) {
        return first.computeIfAbsent(
                sequence,
                key -> key <= 0 ? Digest.ZERO : Digest.sha256(("block " + key).getBytes(StandardCharsets.UTF_8)));
    }

    Digest before(long sequence) {
        return at(sequence - 1);
    }
}
