package io.sealbook.pbft.message;

/** Who signed, and the signature; what was signed stands beside it in the certificate. */
public record ReplicaSignature(int replica, Signature signature) {}
