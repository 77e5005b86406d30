package io.sealbook.crypto;

/**
 * A private key as a file had it. Its public half has been checked: on the curve, and that of the private key.
 *
 * @param key read
 * @param format of the file
 * @param protection the encryption, for people; empty if there is none
 * @param iterationCount of the derivation from the passphrase, the fewest if there are several; 0 if none is counted
 * @param weakness of the encryption: what is recommended in its place, for people; empty if it is strong or there is
 *     none
 */
public record StoredKey(SigningKey key, KeyFormat format, String protection, long iterationCount, String weakness) {
    static StoredKey of(SigningKey key, KeyFormat format, KeyEncryption protection) {
        return new StoredKey(key, format, protection.text(), protection.iterationCount(), protection.weakness());
    }
}
