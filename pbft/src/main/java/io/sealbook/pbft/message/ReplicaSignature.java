package io.sealbook.pbft.message;

/** A signature and its signer; the certificate around it has the fields that are signed. */
public record ReplicaSignature(int replica, Signature signature) {}
