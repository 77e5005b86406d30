package io.sealbook.crypto;

/**
 * A private key as a file had it. Its public half has been checked: on the curve, and that of the private key.
 *
 * @param key read
 * @param format of the file
 * @param protection the encryption, for people; empty if there is none or the file does not tell
 * @param iterationCount of the derivation from the passphrase; 0 if the file does not tell
 */
public record StoredKey(SigningKey key, KeyFormat format, String protection, long iterationCount) {}
