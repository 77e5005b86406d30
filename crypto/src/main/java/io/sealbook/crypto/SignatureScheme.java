package io.sealbook.crypto;

/** The signature schemes of the platform; the codes are those of the order schema and the genesis file. */
public enum SignatureScheme {
    /** SM2 signature of GB/T 32918.2 on the curve of GB/T 32918.5; e = SM3(Z ‖ message). */
    SM2_SM3(1),
    /** ECDSA on secp256k1 (SEC 2, 2.4.1); e = SHA-256(message); s is always the lower of s and n - s. */
    ECDSA_SECP256K1_SHA256(2);

    /** Bytes of a signature: r and s, 32 bytes each, big-endian, then the recovery byte v. */
    public static final int SIGNATURE_LENGTH = 65;
    /** Bytes of a public point: x and y, 32 bytes each, big-endian, without the leading 04. */
    public static final int POINT_LENGTH = 64;

    private final int code;

    SignatureScheme(int code) {
        this.code = code;
    }

    /** Returns the number of this scheme on the wire. */
    public int code() {
        return code;
    }

    /**
     * Returns the scheme of a wire code.
     *
     * @throws IllegalArgumentException if no scheme has this code
     */
    public static SignatureScheme of(int code) {
        switch (code) {
            case 1:
                return SM2_SM3;
            case 2:
                return ECDSA_SECP256K1_SHA256;
            default:
                throw new IllegalArgumentException("unknown signature scheme " + code);
        }
    }
}
