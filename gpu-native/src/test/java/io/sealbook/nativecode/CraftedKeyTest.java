package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * secp256k1 keys of which an odd multiple has y below 2^209: all code and Bouncy Castle must agree on their signatures.
 * The digests are given, not hashed: whoever wants such a key for a message of his has to try 2^45.
 */
class CraftedKeyTest {
    private static final int SCALAR_LENGTH = 32;
    private static final int S_OFFSET = 32;
    private static final int COUNT_MAX = 64;

    /** {@code R = (e/s)·G + (r/s)·P}, and v is 0. */
    private record Signature(String point, String r, String s, String e) {
        VerificationKey key() {
            return VerificationKey.of(
                    SignatureScheme.ECDSA_SECP256K1_SHA256, HexFormat.of().parseHex(point));
        }

        boolean isValidToBouncyCastle() {
            ECCurve curve = CustomNamedCurves.getByName("secp256k1").getCurve();
            ECPoint generator = CustomNamedCurves.getByName("secp256k1").getG();
            ECPoint p = curve.decodePoint(HexFormat.of().parseHex("04" + point));
            BigInteger n = curve.getOrder();
            BigInteger inverse = new BigInteger(s, 16).modInverse(n);
            BigInteger u = new BigInteger(e, 16).multiply(inverse).mod(n);
            BigInteger w = new BigInteger(r, 16).multiply(inverse).mod(n);
            ECPoint sum = ECAlgorithms.sumOfTwoMultiplies(generator, u, p, w).normalize();
            return sum.getAffineXCoord().toBigInteger().equals(new BigInteger(r, 16))
                    && !sum.getAffineYCoord().testBitZero();
        }
    }

    /** 7 and 25 times these keys have the small y. */
    private static final List<Signature> SIGNATURES = List.of(
            new Signature(
                    "2c59c0a54cca25f612e7a8d5dab98cc89c34cb0a45028b2e59e0e2e3a451baef"
                            + "bdc09c280f91946b48f8109720311a4f5856638edb02fedcb8cd5522bcbb4b65",
                    "a53c32568dd0df5d12b9daad30863170a4610e2cdd7e99f9ff0bc1d85324c47b",
                    "3ac8b1884ce77c022e6015ded3785290a63866627bd8b860483291a85c996d5f",
                    "d9bd34542c4e5cc39945e3a5f522926474d31592902e5eda1f1085781fb721f0"),
            new Signature(
                    "70f8f576717e85c96bbb176d8010174ac4c3e56a6a024d94e7ca4eac75d14fe6"
                            + "93602ef6ab9f9e5392709c7f08951dbf1b5308797cda57c0ca1a543566d1b6e3",
                    "f2d678bfc2b44abb008e0bc1586e4f8b4cf7acfb639e3213c4cf6950ffd938d0",
                    "3a256e9cff28887d71fc54d3c49114202ed13d1cb51094290a469e478cced207",
                    "1351fbb034f75a4ad8921b257f8a9f9cad95b04d5dc178843750ce1b2b1b3088"));

    @ParameterizedTest
    @EnumSource(Backend.class)
    void shouldVerifyLikeBouncyCastleInBatchesOfEverySize(Backend backend) {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        assumeTrue(backend.code <= Backend.best().code, "needs " + backend + ": this processor lacks it");
        assertThat(SIGNATURES).allMatch(Signature::isValidToBouncyCastle);
        NativeScheme scheme = new Secp256k1Scheme(backend);
        List<KnownKey> keys = SIGNATURES.stream()
                .map(signature -> new KnownKey(signature.key(), scheme))
                .toList();
        ByteBuffer records = NativeVerification.allocate(COUNT_MAX * NativeVerification.RECORD_SIZE);
        ByteBuffer states = NativeVerification.allocate(COUNT_MAX);
        ByteBuffer scratch = NativeVerification.allocate(scheme.scratchSize());
        for (int count : new int[] {1, 2, 3, 8, 9, COUNT_MAX}) {
            for (int i = 0; i < count; i++) {
                put(records, i, SIGNATURES.get(i % 2), keys.get(i % 2));
                states.put(i, (byte) scheme.state((byte) 0, NativeVerification.GIVEN_E));
            }
            int damaged = (count - 1) * NativeVerification.RECORD_SIZE;
            if (count > 2) {
                records.put(damaged, (byte) (records.get(damaged) ^ 1));
            }

            scheme.verify(records, states, count, scratch);

            for (int i = 0; i < count; i++) {
                boolean isValid = states.get(i) == NativeVerification.VALID;
                assertThat(isValid).as("signature %d of %d", i, count).isEqualTo(count <= 2 || i < count - 1);
            }
        }
    }

    private static void put(ByteBuffer records, int index, Signature signature, KnownKey key) {
        int record = index * NativeVerification.RECORD_SIZE;
        records.put(record, HexFormat.of().parseHex(signature.r()), 0, SCALAR_LENGTH);
        records.put(record + S_OFFSET, HexFormat.of().parseHex(signature.s()), 0, SCALAR_LENGTH);
        records.put(
                record + NativeVerification.MESSAGE_OFFSET, HexFormat.of().parseHex(signature.e()), 0, SCALAR_LENGTH);
        records.putLong(record + NativeVerification.KEY_OFFSET, key.address);
        records.putLong(record + NativeVerification.TABLE_OFFSET, 0);
    }
}
