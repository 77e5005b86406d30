package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import io.sealbook.gpu.standin.StandInDriver;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jcuda.driver.CUdeviceptr;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.Arrays;
import org.bouncycastle.util.BigIntegers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernels against Bouncy Castle: compiled from their sources, and the checked-in PTX itself. */
@Tag("stand-in-driver")
class KernelTest {
    private static final BigInteger P = Sm2Reference.P;
    private static final BigInteger N = Sm2Reference.N;
    private static final BigInteger R = BigInteger.TWO.pow(256);
    private static final byte INVALID = 0;
    private static final byte VALID = 1;
    private static final byte UNDECIDED = 2;

    /** Which kernels run. */
    enum Kernels {
        SOURCE,
        PTX;

        KernelImage image() {
            return this == SOURCE ? new KernelImage(StandInDriver.SOURCE_IMAGE) : KernelImage.ofResource();
        }
    }

    @BeforeAll
    static void loadDriver() {
        StandInDriver.load();
    }

    /** Operands at which carries run far: around 0, p, 2^256, and patterns of full and empty words. */
    private static List<BigInteger> edges(Random random) {
        List<BigInteger> edges = new ArrayList<>();
        for (BigInteger base : List.of(BigInteger.ZERO, P, R, R.subtract(P), P.shiftRight(1), N)) {
            for (int delta = -2; delta <= 2; delta++) {
                edges.add(base.add(BigInteger.valueOf(delta)));
            }
        }
        for (int pattern = 0; pattern < 256; pattern += 7) {
            BigInteger words = BigInteger.ZERO;
            for (int word = 0; word < 8; word++) {
                if ((pattern >> word & 1) == 1) {
                    words = words.or(BigInteger.valueOf(0xFFFFFFFFL).shiftLeft(32 * word));
                }
            }
            edges.add(words);
        }
        for (int i = 0; i < 20; i++) {
            edges.add(new BigInteger(256, random));
        }
        return edges.stream()
                .filter(a -> a.signum() >= 0 && a.bitLength() <= 256)
                .distinct()
                .toList();
    }

    @Test
    void shouldComputeInTheFieldAtItsEdges() {
        List<BigInteger> edges = edges(new Random(1));
        List<BigInteger[]> pairs = new ArrayList<>();
        edges.forEach(a -> edges.forEach(b -> pairs.add(new BigInteger[] {a, b})));
        BigInteger inverseR = R.modInverse(P);

        byte[] results;
        try (KernelBench bench = new KernelBench(Kernels.SOURCE.image())) {
            CUdeviceptr out = bench.room(pairs.size() * 6L * 32);
            bench.launch(
                    "probe_sm2_fe",
                    pairs.size(),
                    CudaSession.argument(bench.upload(littleEndian(pairs))),
                    CudaSession.argument(out),
                    CudaSession.argument(pairs.size()));
            results = bench.download(out, pairs.size() * 6 * 32);
        }

        for (int i = 0; i < pairs.size(); i++) {
            BigInteger a = pairs.get(i)[0];
            BigInteger b = pairs.get(i)[1];
            BigInteger[] found = new BigInteger[6];
            for (int j = 0; j < 6; j++) {
                found[j] = number(results, (i * 6 + j) * 32);
            }
            String pair = a.toString(16) + ", " + b.toString(16);
            assertThat(found[0].mod(P))
                    .as("product of " + pair)
                    .isEqualTo(a.multiply(b).multiply(inverseR).mod(P));
            assertThat(found[1].mod(P))
                    .as("square of " + pair)
                    .isEqualTo(a.multiply(a).multiply(inverseR).mod(P));
            assertThat(found[2].mod(P)).as("sum of " + pair).isEqualTo(a.add(b).mod(P));
            assertThat(found[3].mod(P))
                    .as("difference of " + pair)
                    .isEqualTo(a.subtract(b).mod(P));
            assertThat(found[4]).as("residue of " + pair).isEqualTo(a.mod(P));
            BigInteger inverse = a.mod(P).signum() == 0
                    ? BigInteger.ZERO
                    : a.modInverse(P).multiply(R).multiply(R).mod(P);
            assertThat(found[5].mod(P)).as("inverse of " + pair).isEqualTo(inverse);
        }
    }

    @Test
    void shouldMultiplyInPtxAsInTheField() {
        List<BigInteger> edges = edges(new Random(2));
        List<BigInteger[]> pairs = new ArrayList<>();
        edges.forEach(a -> edges.forEach(b -> pairs.add(new BigInteger[] {a, b})));
        BigInteger inverseR = R.modInverse(P);

        byte[] results;
        try (KernelBench bench = new KernelBench(Kernels.PTX.image())) {
            CUdeviceptr values = bench.upload(littleEndian(pairs));
            bench.launch(
                    "sm2_fe_multiply_chain",
                    pairs.size(),
                    CudaSession.argument(values),
                    CudaSession.argument(pairs.size()),
                    CudaSession.argument(2));
            results = bench.download(values, pairs.size() * 64);
        }

        for (int i = 0; i < pairs.size(); i++) {
            BigInteger a = pairs.get(i)[0];
            BigInteger factor = pairs.get(i)[1].multiply(inverseR);
            assertThat(number(results, i * 64).mod(P))
                    .as(a.toString(16) + ", " + pairs.get(i)[1].toString(16))
                    .isEqualTo(a.multiply(factor).multiply(factor).mod(P));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeTablesOfOddMultiples(Kernels kernels) {
        KeyPair pair = KeyPair.of(new Random(3));
        for (int windowBits : kernels == Kernels.SOURCE ? new int[] {2, 5, 9} : new int[] {4}) {
            CombTable table = new CombTable(windowBits);

            byte[] bytes;
            try (KernelBench bench = new KernelBench(kernels.image())) {
                List<byte[]> records = List.of(GeneratorRecord.BYTES, SignatureRows.keyRecord(pair.key()));
                byte[] both = bench.download(bench.makeTables(records, table), Math.toIntExact(2 * table.sizeBytes()));
                bytes = java.util.Arrays.copyOfRange(both, (int) table.sizeBytes(), both.length);
            }

            ECPoint base = Sm2Reference.point(pair.key());
            for (int window = 0; window < table.windowCount(); window++) {
                ECPoint[] expected = new ECPoint[table.pointsPerWindow()];
                expected[0] = base;
                for (int i = 1; i < expected.length; i++) {
                    expected[i] = expected[i - 1].add(base.twice());
                }
                base.getCurve().normalizeAll(expected);
                for (int i = 0; i < expected.length; i++) {
                    int at = (window * expected.length + i) * 64;
                    assertThat(number(bytes, at))
                            .isEqualTo(montgomery(expected[i].getAffineXCoord().toBigInteger()));
                    assertThat(number(bytes, at + 32))
                            .isEqualTo(montgomery(expected[i].getAffineYCoord().toBigInteger()));
                }
                base = base.timesPow2(windowBits).normalize();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellRightFromWrongUnderKnownKeys(Kernels kernels) {
        SignatureBatch batch = mixedBatch(new Random(4), kernels == Kernels.SOURCE ? 600 : 300);

        assertVerdicts(kernels, batch, true, new CombTable(7), new CombTable(5));
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellRightFromWrongUnderAnyKeys(Kernels kernels) {
        SignatureBatch batch = mixedBatch(new Random(5), kernels == Kernels.SOURCE ? 300 : 100);

        assertVerdicts(kernels, batch, false, new CombTable(6), null);
    }

    /** Widths whose windows overlap the top of a scalar differently. */
    @Test
    void shouldVerifyWithTablesOfAnyWidth() {
        SignatureBatch batch = mixedBatch(new Random(6), 60);

        for (int windowBits = 2; windowBits <= 10; windowBits++) {
            assertVerdicts(Kernels.SOURCE, batch, true, new CombTable(windowBits), new CombTable(12 - windowBits));
        }
    }

    /** One block of SM3 or two, and the longest message that the device hashes. */
    @ParameterizedTest
    @EnumSource
    void shouldHashMessagesOfEveryLength(Kernels kernels) {
        Random random = new Random(7);
        KeyPair pair = KeyPair.of(random);
        SignatureBatch batch = new SignatureBatch(60);
        for (int length = 0; length < 60; length++) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            batch.add(pair.key(), message, Sm2Reference.sign(pair, message, random));
        }

        assertThat(verify(kernels, batch, true, new CombTable(6), new CombTable(6)))
                .containsOnly(VALID);
    }

    /** Signatures that only the owner of a key can make, so that partial sums meet, or the sum is infinity. */
    @ParameterizedTest
    @EnumSource
    void shouldLeaveMeetingPointsUndecided(Kernels kernels) {
        KeyPair likeGenerator = KeyPair.of(BigInteger.ONE);
        byte[] message = {1, 2, 3};
        SignatureBatch batch = new SignatureBatch(4);
        // The lowest window of t = 19 stands for 3, and 3 G is there already.
        BigInteger s = BigInteger.valueOf(3);
        batch.add(likeGenerator.key(), message, signatureOf(s, BigInteger.valueOf(19)));
        batch.add(likeGenerator.key(), message, signatureOf(s, N.subtract(s)));
        KeyPair any = KeyPair.of(new Random(8));
        BigInteger t = N.subtract(s).multiply(any.d().modInverse(N)).mod(N);
        batch.add(any.key(), message, signatureOf(s, t));

        assertThat(verify(kernels, batch, true, new CombTable(4), new CombTable(4)))
                .containsExactly(UNDECIDED, UNDECIDED, UNDECIDED);
        // The other kernel adds in another order, so that only the sums at infinity are beyond it.
        assertThat(verify(kernels, batch, false, new CombTable(4), null))
                .containsExactly(INVALID, UNDECIDED, UNDECIDED);
    }

    /**
     * With x1 in n..p-1, r - e stands for x1 - n, and only the second candidate fits. It needs a point that nobody
     * finds by chance.
     */
    @ParameterizedTest
    @EnumSource
    void shouldAcceptAbscissaBeyondTheOrder(Kernels kernels) {
        ECPoint point = pointBeyondOrder();
        // With s and t chosen freely, P = (point - s G) / t is a key for which the sum is that point.
        BigInteger s = BigInteger.valueOf(5);
        BigInteger t = BigInteger.valueOf(11);
        ECPoint keyPoint = point.subtract(Sm2Reference.G.multiply(s))
                .multiply(t.modInverse(N))
                .normalize();
        byte[] encoded = keyPoint.getEncoded(false);
        VerificationKey key =
                VerificationKey.of(SignatureScheme.SM2_SM3, java.util.Arrays.copyOfRange(encoded, 1, encoded.length));
        // r = t - s is fixed, so e must be r - x1: a digest that is given, not one of a message.
        BigInteger r = t.subtract(s);
        BigInteger e = r.subtract(point.getAffineXCoord().toBigInteger()).mod(N);

        byte[] verdicts = verifyDigest(kernels, key, Sm2Reference.signature(r, s), e);

        assertThat(verdicts).containsExactly(VALID, VALID);
    }

    private static ECPoint pointBeyondOrder() {
        for (BigInteger x = N; x.compareTo(P) < 0; x = x.add(BigInteger.ONE)) {
            byte[] compressed = Arrays.prepend(BigIntegers.asUnsignedByteArray(32, x), (byte) 2);
            try {
                return Sm2Reference.G.getCurve().decodePoint(compressed).normalize();
            } catch (IllegalArgumentException notOnCurve) {
                continue;
            }
        }
        throw new AssertionError("no point of the curve has its abscissa in n..p-1");
    }

    /** Verdicts of both kernels on one row whose digest is given. */
    private static byte[] verifyDigest(Kernels kernels, VerificationKey key, byte[] signature, BigInteger e) {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, new byte[100], signature);
        try (KernelBench bench = new KernelBench(kernels.image())) {
            bench.replaceDigest(BigIntegers.asUnsignedByteArray(32, e));
            byte known = bench.verify(batch, true, new CombTable(4), new CombTable(4))[0];
            byte any = bench.verify(batch, false, new CombTable(4), null)[0];
            return new byte[] {known, any};
        }
    }

    /** Returns r ‖ s with t = r + s. */
    private static byte[] signatureOf(BigInteger s, BigInteger t) {
        return Sm2Reference.signature(t.subtract(s).mod(N), s);
    }

    /** Right signatures, and ones wrong in every part, under five keys. */
    private static SignatureBatch mixedBatch(Random random, int size) {
        List<KeyPair> pairs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pairs.add(KeyPair.of(random));
        }
        SignatureBatch batch = new SignatureBatch(size);
        for (int i = 0; i < size; i++) {
            KeyPair pair = pairs.get(random.nextInt(pairs.size()));
            byte[] message = new byte[random.nextInt(80)];
            random.nextBytes(message);
            byte[] signature = Sm2Reference.sign(pair, message, random);
            BigInteger r = new BigInteger(1, signature, 0, 32);
            BigInteger s = new BigInteger(1, signature, 32, 32);
            switch (random.nextInt(16)) {
                case 0 -> signature[random.nextInt(32)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> signature[32 + random.nextInt(32)] ^= (byte) (1 << random.nextInt(8));
                case 2 -> message = Arrays.append(message, (byte) 0);
                case 3 -> pair = pairs.get(random.nextInt(pairs.size()));
                case 4 -> signature = Sm2Reference.signature(BigInteger.ZERO, s);
                case 5 -> signature = Sm2Reference.signature(r, BigInteger.ZERO);
                case 6 -> signature = Sm2Reference.signature(r, N.subtract(r));
                case 7 -> signature = Sm2Reference.signature(N, s);
                case 8 -> signature = Sm2Reference.signature(r, R.subtract(BigInteger.ONE));
                case 9 -> signature = Sm2Reference.signature(BigInteger.ONE, N.subtract(BigInteger.TWO));
                default -> {}
            }
            batch.add(pair.key(), message, signature);
        }
        return batch;
    }

    private static void assertVerdicts(
            Kernels kernels, SignatureBatch batch, boolean isKnown, CombTable generatorTable, CombTable keyTable) {
        byte[] verdicts = verify(kernels, batch, isKnown, generatorTable, keyTable);
        for (int i = 0; i < batch.size(); i++) {
            byte[] signature = java.util.Arrays.copyOfRange(
                    batch.signatures(), batch.signatureOffset(i), batch.signatureOffset(i) + 65);
            boolean isValid = Sm2Reference.isValid(batch.key(i), batch.message(i), signature);
            assertThat(verdicts[i])
                    .as("entry " + i + " with tables of " + generatorTable + " and " + keyTable)
                    .isEqualTo(isValid ? VALID : INVALID);
        }
    }

    private static byte[] verify(
            Kernels kernels, SignatureBatch batch, boolean isKnown, CombTable generatorTable, CombTable keyTable) {
        try (KernelBench bench = new KernelBench(kernels.image())) {
            return bench.verify(batch, isKnown, generatorTable, keyTable);
        }
    }

    private static BigInteger montgomery(BigInteger a) {
        return a.multiply(R).mod(P);
    }

    private static byte[] littleEndian(List<BigInteger[]> pairs) {
        byte[] bytes = new byte[pairs.size() * 64];
        for (int i = 0; i < pairs.size(); i++) {
            for (int j = 0; j < 2; j++) {
                byte[] number = Arrays.reverse(BigIntegers.asUnsignedByteArray(32, pairs.get(i)[j]));
                System.arraycopy(number, 0, bytes, i * 64 + j * 32, 32);
            }
        }
        return bytes;
    }

    private static BigInteger number(byte[] bytes, int offset) {
        return new BigInteger(1, Arrays.reverse(java.util.Arrays.copyOfRange(bytes, offset, offset + 32)));
    }
}
