package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.crypto.signers.PlainDSAEncoding;
import org.bouncycastle.crypto.signers.SM2Signer;
import org.bouncycastle.util.BigIntegers;
import org.bouncycastle.util.test.TestRandomBigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SignerTest {
    private static final int ROUNDS = 200;

    /** Private key, message, r ‖ s: vectors that several secp256k1 libraries have in common. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0000000000000000000000000000000000000000000000000000000000000001|Satoshi Nakamoto"
                        + "|934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
                "0000000000000000000000000000000000000000000000000000000000000001"
                        + "|All those moments will be lost in time, like tears in rain. Time to die..."
                        + "|8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21",
                "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140|Satoshi Nakamoto"
                        + "|fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d06b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5",
                "f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181|Alan Turing"
                        + "|7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea",
            })
    void shouldGiveKnownSignatureOfSecp256k1(String scalar, String message, String expected) {
        Signer signer = SigningKey.of(
                        SignatureScheme.ECDSA_SECP256K1_SHA256, HexFormat.of().parseHex(scalar))
                .signer();

        byte[] signature = signer.sign(message.getBytes(StandardCharsets.US_ASCII));

        assertThat(HexFormat.of().formatHex(signature, 0, 64)).isEqualTo(expected);
    }

    @Test
    void shouldDeriveKeyOfSm2StandardExample() {
        SigningKey key = SigningKey.of(
                SignatureScheme.SM2_SM3,
                HexFormat.of().parseHex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8"));

        assertThat(HexFormat.of().formatHex(key.verificationKey().point()))
                .isEqualTo("09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                        + "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13");
        assertThat(HexFormat.of().formatHex(key.verificationKey().z()))
                .isEqualTo("b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3");
    }

    /** The same nonce must give Bouncy Castle's signer the same signature. */
    @Test
    void shouldAgreeWithBouncyCastleOnSm2() throws Exception {
        Random random = new Random(31);
        for (int round = 0; round < ROUNDS; round++) {
            SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, random);
            byte[] message = TestKeys.message(random, 200);
            byte[] digest = Sm2Digest.of(new SM3Digest(), key.verificationKey(), message, 0, message.length);
            HMacDSAKCalculator nonces = new HMacDSAKCalculator(new SM3Digest());
            nonces.init(EllipticCurve.SM2P256V1.order, key.d(), digest);
            SM2Signer reference = new SM2Signer(PlainDSAEncoding.INSTANCE);
            reference.init(
                    true,
                    new ParametersWithRandom(
                            new ECPrivateKeyParameters(key.d(), EllipticCurve.SM2P256V1.domain()),
                            new TestRandomBigInteger(BigIntegers.asUnsignedByteArray(32, nonces.nextK()))));
            reference.update(message, 0, message.length);

            byte[] signature = key.signer().sign(message);

            assertThat(signature).startsWith(reference.generateSignature()).endsWith(0);
        }
    }

    @Test
    void shouldBeAcceptedByBouncyCastleOnSm2() {
        Random random = new Random(32);
        for (int round = 0; round < ROUNDS; round++) {
            SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, random);
            byte[] message = TestKeys.message(random, 200);
            SM2Signer reference = new SM2Signer(PlainDSAEncoding.INSTANCE);
            reference.init(
                    false,
                    new ECPublicKeyParameters(key.verificationKey().curvePoint(), EllipticCurve.SM2P256V1.domain()));
            reference.update(message, 0, message.length);

            byte[] signature = key.signer().sign(message);

            assertThat(reference.verifySignature(java.util.Arrays.copyOf(signature, 64)))
                    .isTrue();
        }
    }

    @Test
    void shouldAgreeWithBouncyCastleOnSecp256k1() {
        Random random = new Random(33);
        BigInteger n = EllipticCurve.SECP256K1.order;
        for (int round = 0; round < ROUNDS; round++) {
            SigningKey key = TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, random);
            byte[] message = TestKeys.message(random, 200);
            ECDSASigner reference = new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest()));
            reference.init(true, new ECPrivateKeyParameters(key.d(), EllipticCurve.SECP256K1.domain()));
            BigInteger[] expected = reference.generateSignature(Sha256.of(message, 0, message.length));

            byte[] signature = key.signer().sign(message);

            assertThat(SignatureBytes.r(signature, 0)).isEqualTo(expected[0]);
            assertThat(SignatureBytes.s(signature, 0)).isEqualTo(expected[1].min(n.subtract(expected[1])));
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignSameMessageAlike(SignatureScheme scheme) {
        Random random = new Random(34);
        SigningKey key = TestKeys.key(scheme, random);
        byte[] message = TestKeys.message(random, 100);
        byte[] framed = new byte[message.length + 7];
        System.arraycopy(message, 0, framed, 5, message.length);
        byte[] target = new byte[80];

        byte[] first = key.signer().sign(message);
        key.signer().sign(framed, 5, message.length, target, 3);

        assertThat(key.signer().sign(message)).isEqualTo(first);
        assertThat(java.util.Arrays.copyOfRange(target, 3, 68)).isEqualTo(first);
        assertThat(key.signer().verificationKey()).isEqualTo(key.verificationKey());
        assertThat(key.signer().scheme()).isEqualTo(scheme);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignManyLikeOne(SignatureScheme scheme) {
        Random random = new Random(36);
        Signer signer = TestKeys.key(scheme, random).signer();
        byte[] messages = new byte[3 * 48];
        random.nextBytes(messages);
        byte[] signatures = new byte[3 * 65];

        signer.signAll(messages, 48, 3, signatures);

        for (int i = 0; i < 3; i++) {
            byte[] message = java.util.Arrays.copyOfRange(messages, i * 48, i * 48 + 48);
            assertThat(java.util.Arrays.copyOfRange(signatures, i * 65, i * 65 + 65))
                    .isEqualTo(signer.sign(message));
        }
        assertThatThrownBy(() -> signer.signAll(messages, 48, 4, new byte[4 * 65]))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldRefuseRangesThatDoNotFit(SignatureScheme scheme) {
        Signer signer = TestKeys.key(scheme, new Random(35)).signer();

        assertThatThrownBy(() -> signer.sign(new byte[10], 8, 3, new byte[65], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> signer.sign(new byte[10], 0, 10, new byte[65], 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldGenerateDifferentKeys(SignatureScheme scheme) {
        assertThat(Signers.generate(scheme).verificationKey())
                .isNotEqualTo(Signers.generate(scheme).verificationKey());
    }

    @Test
    void shouldRefuseScalarsOutOfRange() {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            BigInteger n = EllipticCurve.of(scheme).order;
            assertThatThrownBy(() -> SigningKey.ofScalar(scheme, BigInteger.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> SigningKey.ofScalar(scheme, n)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> SigningKey.of(scheme, new byte[31])).isInstanceOf(IllegalArgumentException.class);
        }
        BigInteger sm2Max = EllipticCurve.SM2P256V1.order.subtract(BigInteger.TWO);
        assertThat(SigningKey.ofScalar(SignatureScheme.SM2_SM3, sm2Max).d()).isEqualTo(sm2Max);
        assertThatThrownBy(() -> SigningKey.ofScalar(SignatureScheme.SM2_SM3, sm2Max.add(BigInteger.ONE)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
