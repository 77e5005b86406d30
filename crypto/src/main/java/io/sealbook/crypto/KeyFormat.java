package io.sealbook.crypto;

/** How a file keeps a private key. */
public enum KeyFormat {
    /** PKCS#8 in PEM under a passphrase. */
    ENCRYPTED_PKCS8("encrypted PKCS#8"),
    /** PKCS#12 under a passphrase. */
    PKCS12("PKCS#12"),
    /** PKCS#8 in PEM, in clear. */
    PKCS8("PKCS#8, not encrypted"),
    /** SEC 1 in PEM, in clear. */
    SEC1("SEC 1, not encrypted");

    private final String text;

    KeyFormat(String text) {
        this.text = text;
    }

    /** Returns whether a passphrase protects the key. */
    public boolean isEncrypted() {
        return this == ENCRYPTED_PKCS8 || this == PKCS12;
    }

    /** Returns the name for people. */
    public String text() {
        return text;
    }
}
