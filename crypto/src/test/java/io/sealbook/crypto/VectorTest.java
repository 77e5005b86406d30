package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.junit.jupiter.api.Test;

/** Our verdicts on signatures that others made or broke. */
class VectorTest {
    private final SignatureVerifier verifier = new BouncyCastleVerifier();

    @Test
    void shouldAgreeWithSm2Vectors() throws IOException {
        List<JsonObject> vectors = VectorFile.objects(VectorFile.read("sm2.json"), "vectors");
        SignatureBatch batch = new SignatureBatch(vectors.size());
        for (JsonObject vector : vectors) {
            VerificationKey key =
                    VerificationKey.ofSm2(VectorFile.point(vector, "publicKey"), VectorFile.bytes(vector, "id"));
            byte[] message = VectorFile.bytes(vector, "message");
            byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
            System.arraycopy(VectorFile.bytes(vector, "r"), 0, signature, 0, 32);
            System.arraycopy(VectorFile.bytes(vector, "s"), 0, signature, 32, 32);
            batch.add(key, message, signature);
            byte[] e = Sm2Digest.of(new SM3Digest(), key, message, 0, message.length);
            assertThat(new BigInteger(1, e)).isEqualTo(new BigInteger(VectorFile.text(vector, "e"), 16));
        }

        verifier.verify(batch);

        for (int i = 0; i < vectors.size(); i++) {
            assertThat(batch.isValid(i))
                    .as("%d: %s", i, VectorFile.text(vectors.get(i), "kind"))
                    .isEqualTo(vectors.get(i).get("valid").getAsBoolean());
        }
    }

    @Test
    void shouldAgreeWithWycheproofOnPlainSignatures() throws IOException {
        int checked = 0;
        for (JsonObject group : VectorFile.objects(
                VectorFile.read("wycheproof/ecdsa_secp256k1_sha256_p1363_test.json"), "testGroups")) {
            VerificationKey key = wycheproofKey(group);
            for (JsonObject test : VectorFile.objects(group, "tests")) {
                byte[] plain = VectorFile.bytes(test, "sig");
                assertVerdict(test, key, plain.length == 64 ? Optional.of(plain) : Optional.empty());
                checked++;
            }
        }
        assertThat(checked).isEqualTo(252);
    }

    @Test
    void shouldAgreeWithWycheproofOnDerSignatures() throws IOException {
        int checked = 0;
        for (JsonObject group :
                VectorFile.objects(VectorFile.read("wycheproof/ecdsa_secp256k1_sha256_test.json"), "testGroups")) {
            VerificationKey key = wycheproofKey(group);
            for (JsonObject test : VectorFile.objects(group, "tests")) {
                assertVerdict(test, key, plain(VectorFile.bytes(test, "sig")));
                checked++;
            }
        }
        assertThat(checked).isEqualTo(476);
    }

    /**
     * A valid vector is accepted with exactly one v once s is the lower one, and refused with every v while it is the
     * higher one; an invalid vector is refused however it is dressed. Recovery agrees.
     */
    private void assertVerdict(JsonObject test, VerificationKey key, Optional<byte[]> plain) {
        boolean isValid = VectorFile.text(test, "result").equals("valid");
        String name = VectorFile.text(test, "tcId") + " " + VectorFile.text(test, "comment");
        if (plain.isEmpty()) {
            assertThat(isValid).as(name).isFalse();
            return;
        }
        byte[] message = VectorFile.bytes(test, "msg");
        BigInteger n = EllipticCurve.SECP256K1.order;
        BigInteger r = SignatureBytes.r(plain.get(), 0);
        BigInteger s = SignatureBytes.s(plain.get(), 0);
        BigInteger mirrored = n.subtract(s).mod(n);
        assertThat(acceptedCount(key, message, r, s.min(mirrored), s.compareTo(n) < 0))
                .as(name)
                .isEqualTo(isValid ? 1 : 0);
        assertThat(acceptedCount(key, message, r, s.max(mirrored), false))
                .as(name + ", higher s")
                .isZero();
    }

    private int acceptedCount(
            VerificationKey key, byte[] message, BigInteger r, BigInteger s, boolean isRecoveryChecked) {
        SignatureBatch batch = new SignatureBatch(4);
        byte[][] signatures = new byte[4][SignatureScheme.SIGNATURE_LENGTH];
        for (int v = 0; v < 4; v++) {
            SignatureBytes.write(signatures[v], 0, r, s, v);
            batch.add(key, message, signatures[v]);
        }
        int count = verifier.verify(batch);
        for (int v = 0; v < 4 && isRecoveryChecked; v++) {
            Optional<VerificationKey> recovered = Secp256k1Recovery.recover(message, signatures[v]);
            assertThat(recovered.equals(Optional.of(key))).isEqualTo(batch.isValid(v));
        }
        return count;
    }

    private static VerificationKey wycheproofKey(JsonObject group) {
        return VerificationKey.of(
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                VectorFile.point(group.getAsJsonObject("publicKey"), "uncompressed"));
    }

    /** Returns r ‖ s of a strict DER signature whose numbers fit 256 bits. */
    private static Optional<byte[]> plain(byte[] der) {
        try (ASN1InputStream in = new ASN1InputStream(der)) {
            if (!(in.readObject() instanceof ASN1Sequence sequence)
                    || in.read() != -1
                    || sequence.size() != 2
                    || !Arrays.equals(sequence.getEncoded(ASN1Encoding.DER), der)) {
                return Optional.empty();
            }
            BigInteger r = ASN1Integer.getInstance(sequence.getObjectAt(0)).getValue();
            BigInteger s = ASN1Integer.getInstance(sequence.getObjectAt(1)).getValue();
            if (r.signum() < 0 || s.signum() < 0 || r.bitLength() > 256 || s.bitLength() > 256) {
                return Optional.empty();
            }
            byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
            SignatureBytes.write(signature, 0, r, s, 0);
            return Optional.of(Arrays.copyOf(signature, 64));
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            return Optional.empty();
        }
    }
}
