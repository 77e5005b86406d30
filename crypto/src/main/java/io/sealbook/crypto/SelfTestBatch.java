package io.sealbook.crypto;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What providers are tested with: signatures of messages of 48 bytes, the platform's own, under one key of each scheme,
 * right and damaged by turns. The Java signers made them. One thread.
 */
public final class SelfTestBatch {
    private static final int[] FEW = {1, 1, 2, 8};
    private static final int MANY = 64;

    private static final int MESSAGE_LENGTH = 48;
    private static final int SCALARS_BITS = 512;
    /** From one damaged entry to the next, so that r, s and the message have their turns. */
    private static final int BIT_STRIDE = 121;

    private static final Signed SM2 = new Signed(
            SignatureScheme.SM2_SM3,
            "b2c0416e7959457611a45340ccaeb1b6f6b157ec21c64111dfa1d60d2cb5603e"
                    + "5faaba14e3fca94e62414e48f764740d4f5c408b7ad80cff3c476104dfa02f5a",
            "2c883b5549ee4b0e8304d9b4ad270fcdd3250d2a5ac726b1c47f23e104df14db"
                    + "4cde370ff50fe7215f0351d4e94b56d059f51652808d4599255e83e3bdcf91ef00");

    /** The private key is the bytes 1, 2, ... 32. */
    private static final Signed SECP256K1 = new Signed(
            SignatureScheme.ECDSA_SECP256K1_SHA256,
            "84bf7562262bbd6940085748f3be6afa52ae317155181ece31b66351ccffa4b0"
                    + "8cc43d63b2859d469fee15f31c9edb5324266e6fd0407e87382d60fc4511acd8",
            "5d0ca17c796db3042f3cab7b6d8da9b8337b600cd46a899ad4659b6731a127eb"
                    + "01d2498e565725d62fc6b0552c4412517bed83a2ee58f20e40cacf7e1b47ac1701");

    private final SignatureBatch batch;
    private final String description;
    private final int firstDamaged;

    /** A signature of the bytes 0, 1, ... 47. */
    private record Signed(SignatureScheme scheme, String point, String signature) {
        VerificationKey key() {
            return VerificationKey.of(scheme, HexFormat.of().parseHex(point));
        }

        static byte[] message() {
            byte[] message = new byte[MESSAGE_LENGTH];
            for (int i = 0; i < MESSAGE_LENGTH; i++) {
                message[i] = (byte) i;
            }
            return message;
        }

        byte[] signatureBytes() {
            return HexFormat.of().parseHex(signature);
        }
    }

    /** @param firstDamaged the first damaged entry; every second one after it is damaged, too */
    private SelfTestBatch(SignatureScheme scheme, int size, int firstDamaged) {
        Signed signed = signed(scheme);
        VerificationKey key = signed.key();
        this.firstDamaged = firstDamaged;
        description = scheme + " in a batch of " + size;
        batch = new SignatureBatch(size);
        for (int i = 0; i < size; i++) {
            byte[] message = Signed.message();
            byte[] signature = signed.signatureBytes();
            if (isDamaged(i)) {
                damage(message, signature, i);
            }
            batch.add(key, message, signature);
        }
    }

    /** Returns batches of one (right, damaged), two, eight and 64 signatures of a scheme. */
    public static List<SelfTestBatch> ofEverySize(SignatureScheme scheme) {
        List<SelfTestBatch> batches = few(scheme);
        batches.add(many(scheme));
        return batches;
    }

    /** Returns batches of one (right, damaged), two and eight signatures: Java code is slow in the first ones. */
    static List<SelfTestBatch> few(SignatureScheme scheme) {
        List<SelfTestBatch> batches = new ArrayList<>();
        for (int i = 0; i < FEW.length; i++) {
            batches.add(new SelfTestBatch(scheme, FEW[i], i == 0 ? 1 : 0));
        }
        return batches;
    }

    /** Returns a batch of 64 signatures. */
    static SelfTestBatch many(SignatureScheme scheme) {
        return new SelfTestBatch(scheme, MANY, 0);
    }

    /** Returns a batch of right signatures. */
    static SignatureBatch right(SignatureScheme scheme, int size) {
        return new SelfTestBatch(scheme, size, size).batch;
    }

    /** Returns the key of all signatures of a scheme. */
    public static VerificationKey key(SignatureScheme scheme) {
        return signed(scheme).key();
    }

    /** Verifies the batch; returns the first wrong verdict, or empty. Exceptions of the verifier are passed on. */
    public Optional<String> failure(SignatureVerifier verifier) {
        for (int i = 0; i < batch.size(); i++) {
            batch.setValid(i, isDamaged(i));
        }
        int validCount = verifier.verify(batch);
        int expectedCount = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isValid(i) == isDamaged(i)) {
                String verdict = isDamaged(i) ? "damaged signature was accepted" : "right signature was refused";
                return Optional.of(description + ", " + verdict);
            }
            expectedCount += isDamaged(i) ? 0 : 1;
        }
        return validCount == expectedCount
                ? Optional.empty()
                : Optional.of(description + ", " + validCount + " counted as valid of " + expectedCount);
    }

    private boolean isDamaged(int entry) {
        return entry >= firstDamaged && (entry - firstDamaged) % 2 == 0;
    }

    /** One bit of r, s or the message. */
    private static void damage(byte[] message, byte[] signature, int entry) {
        int bit = entry * BIT_STRIDE % (SCALARS_BITS + MESSAGE_LENGTH * Byte.SIZE);
        byte[] damaged = bit < SCALARS_BITS ? signature : message;
        int own = bit % SCALARS_BITS;
        damaged[own / Byte.SIZE] ^= (byte) (1 << own % Byte.SIZE);
    }

    private static Signed signed(SignatureScheme scheme) {
        return scheme == SignatureScheme.SM2_SM3 ? SM2 : SECP256K1;
    }
}
