package io.sealbook.pbft.message;

/** Receives each signature of a message with what it covers, so that the shell can verify them in one batch. */
@FunctionalInterface
public interface SignatureSink {
    /**
     * @param replica whose identity key must verify it; the caller checks that such a replica exists
     * @param signedBytes what was signed
     * @param signature the signature's bytes
     */
    void accept(int replica, byte[] signedBytes, byte[] signature);
}
