package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;

/**
 * The first leaf of the result tree of a block that is the first under another configuration: it binds the results from
 * there on to that configuration.
 *
 * <pre>
 *   offset  length  meaning
 *   0       1       0x04: neither results nor a node, a link or a run
 *   1       32      digest of the configuration
 * </pre>
 *
 * The hash of the leaf is SHA-256 of these bytes.
 */
public final class ConfigurationLeaf {
    private static final byte CONFIGURATION = 4;

    private ConfigurationLeaf() {}

    /** Returns the hash of the leaf, 32 bytes. */
    public static byte[] hash(Digest configuration) {
        return new Sha256().update(CONFIGURATION).update(configuration.bytes()).digestBytes();
    }
}
