package io.sealbook.crypto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a verifier must get right before it is trusted: published signatures accepted, and forgeries made from them
 * refused, mixed in one batch; then the same of messages of 48 bytes, in batches of several sizes, the largest under
 * keys that it has met before.
 */
final class ProviderSelfTest {
    /** GB/T 32918.5, annex A: the example signature on the recommended curve. */
    private static final Vector SM2 = new Vector(
            SignatureScheme.SM2_SM3,
            "09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                    + "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13",
            "message digest",
            "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                    + "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"
                    + "00");

    /**
     * The deterministic signature of this text under the private key 1, which many secp256k1 libraries test themselves
     * with.
     */
    private static final Vector SECP256K1 = new Vector(
            SignatureScheme.ECDSA_SECP256K1_SHA256,
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                    + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
            "Satoshi Nakamoto",
            "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
                    + "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"
                    + "01");

    private ProviderSelfTest() {}

    private record Vector(SignatureScheme scheme, String point, String message, String signature) {
        VerificationKey key() {
            return VerificationKey.of(scheme, HexFormat.of().parseHex(point));
        }

        byte[] messageBytes() {
            return message.getBytes(StandardCharsets.US_ASCII);
        }

        byte[] signatureBytes() {
            return HexFormat.of().parseHex(signature);
        }
    }

    private record Case(String name, boolean isValid) {}

    /** Runs the test; returns what went wrong, or empty. Exceptions of the verifier are passed on. */
    static Optional<String> failure(SignatureVerifier verifier) {
        List<Case> cases = new ArrayList<>();
        SignatureBatch batch = new SignatureBatch(16);
        for (Vector vector : List.of(SM2, SECP256K1)) {
            String name = vector.scheme().name();
            byte[] message = vector.messageBytes();
            VerificationKey key = vector.key();
            add(cases, batch, name + " standard vector", true, key, message, vector.signatureBytes());
            byte[] otherMessage = message.clone();
            otherMessage[0] ^= 1;
            add(cases, batch, name + " other message", false, key, otherMessage, vector.signatureBytes());
            add(cases, batch, name + " flipped r", false, key, message, flipped(vector, 31));
            add(cases, batch, name + " flipped s", false, key, message, flipped(vector, 63));
            add(cases, batch, name + " flipped v", false, key, message, flipped(vector, 64));
            add(cases, batch, name + " r = s = 0", false, key, message, new byte[SignatureScheme.SIGNATURE_LENGTH]);
            add(cases, batch, name + " standard vector again", true, key, message, vector.signatureBytes());
        }
        verifier.verify(batch);
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isValid(i) != cases.get(i).isValid()) {
                return Optional.of(cases.get(i).name() + (batch.isValid(i) ? " was accepted" : " was refused"));
            }
        }
        return firstFailure(verifier, SelfTestBatch::few);
    }

    /**
     * Runs the second part of the test, once the verifier's speed is measured: it has met the key of SM2 often by then,
     * and may verify in another way. Returns as {@link #failure}.
     */
    static Optional<String> failureOfMany(SignatureVerifier verifier) {
        return firstFailure(verifier, scheme -> List.of(SelfTestBatch.many(scheme)));
    }

    private static Optional<String> firstFailure(
            SignatureVerifier verifier, Function<SignatureScheme, List<SelfTestBatch>> batches) {
        return Arrays.stream(SignatureScheme.values())
                .flatMap(scheme -> batches.apply(scheme).stream())
                .flatMap(batch -> batch.failure(verifier).stream())
                .findFirst();
    }

    private static void add(
            List<Case> cases,
            SignatureBatch batch,
            String name,
            boolean isValid,
            VerificationKey key,
            byte[] message,
            byte[] signature) {
        cases.add(new Case(name, isValid));
        batch.add(key, message, signature);
    }

    private static byte[] flipped(Vector vector, int index) {
        byte[] signature = vector.signatureBytes();
        signature[index] ^= 1;
        return signature;
    }
}
