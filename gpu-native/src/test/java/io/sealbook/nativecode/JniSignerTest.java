package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JniSignerTest {
    private static final int KEYS = 150;

    @BeforeAll
    static void requireLibrary() {
        assumeTrue(NativeLibrary.isLoaded(), () -> "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
    }

    /** Signatures are deterministic, so the two must agree to the last bit, recovery byte included. */
    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignLikeJava(SignatureScheme scheme) {
        Random random = new Random(61);
        for (int i = 0; i < KEYS; i++) {
            SigningKey key = key(scheme, random);
            byte[] message = new byte[i < 100 ? 48 : random.nextInt(2_000)];
            random.nextBytes(message);

            byte[] signature = Signers.named("jni", key).sign(message);

            assertThat(signature)
                    .as("round " + i)
                    .isEqualTo(Signers.named("bc", key).sign(message));
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignEveryLengthLikeJava(SignatureScheme scheme) {
        SigningKey key = key(scheme, new Random(62));
        Signer signer = Signers.named("jni", key);
        Signer reference = Signers.named("bc", key);
        for (int length :
                new int[] {0, 1, 22, 23, 24, 31, 32, 55, 56, 63, 64, 65, 119, 223, 224, 225, 255, 256, 257, 480, 512}) {
            byte[] message = new byte[length];
            Arrays.fill(message, (byte) length);

            assertThat(signer.sign(message)).as(length + " bytes").isEqualTo(reference.sign(message));
        }
    }

    /** The ends of the range of scalars, where a table entry or a sign is most likely to be wrong. */
    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignWithScalarsAtTheEdges(SignatureScheme scheme) {
        String order = scheme == SignatureScheme.SM2_SM3
                ? "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d541"
                : "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd03641";
        String last = scheme == SignatureScheme.SM2_SM3 ? "21" : "40";
        for (String scalar :
                List.of("00".repeat(31) + "01", "00".repeat(31) + "02", "80" + "00".repeat(31), order + last)) {
            SigningKey key = SigningKey.of(scheme, HexFormat.of().parseHex(scalar));
            byte[] message = scalar.getBytes(java.nio.charset.StandardCharsets.US_ASCII);

            assertThat(Signers.named("jni", key).sign(message))
                    .isEqualTo(Signers.named("bc", key).sign(message));
        }
    }

    @Test
    void shouldSignForOwnersOfTheirOwnIdentifier() {
        byte[] scalar = new byte[32];
        scalar[31] = 7;
        SigningKey key = SigningKey.ofSm2(scalar, "broker-7".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        byte[] message = {1, 2, 3};

        assertThat(Signers.named("jni", key).sign(message))
                .isEqualTo(Signers.named("bc", key).sign(message));
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldBeChosenByDefault(SignatureScheme scheme) {
        SigningKey key = key(scheme, new Random(63));

        assertThat(key.signer()).isInstanceOf(JniSigner.class);
        assertThat(key.signer().verificationKey()).isEqualTo(key.verificationKey());
        assertThat(Signers.findings().get(0).toString()).startsWith("jni: chosen, self-test passed");
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadAndWriteInPlace(SignatureScheme scheme) {
        Random random = new Random(64);
        Signer signer = Signers.named("jni", key(scheme, random));
        byte[] frame = new byte[200];
        random.nextBytes(frame);
        byte[] before = frame.clone();
        byte[] expected = signer.sign(Arrays.copyOfRange(frame, 10, 58));

        signer.sign(frame, 10, 48, frame, 100);

        assertThat(Arrays.copyOfRange(frame, 100, 165)).isEqualTo(expected);
        System.arraycopy(before, 100, frame, 100, 65);
        assertThat(frame).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldSignManyLikeOne(SignatureScheme scheme) {
        Random random = new Random(68);
        Signer signer = Signers.named("jni", key(scheme, random));
        for (int length : new int[] {0, 48, 256, 257}) {
            for (int count : new int[] {0, 1, 15, 64, 65, 130}) {
                byte[] messages = new byte[count * length + 3];
                random.nextBytes(messages);
                byte[] signatures = new byte[count * SignatureScheme.SIGNATURE_LENGTH];

                signer.signAll(messages, length, count, signatures);

                for (int i = 0; i < count; i++) {
                    byte[] expected = new byte[SignatureScheme.SIGNATURE_LENGTH];
                    signer.sign(messages, i * length, length, expected, 0);
                    assertThat(Arrays.copyOfRange(
                                    signatures,
                                    i * SignatureScheme.SIGNATURE_LENGTH,
                                    (i + 1) * SignatureScheme.SIGNATURE_LENGTH))
                            .isEqualTo(expected);
                }
            }
        }
        assertThatThrownBy(() -> signer.signAll(new byte[95], 48, 2, new byte[130]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> signer.signAll(new byte[96], 48, 2, new byte[129]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> signer.signAll(new byte[96], 48, -1, new byte[129]))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldRefuseRangesThatDoNotFit(SignatureScheme scheme) {
        Signer signer = Signers.named("jni", key(scheme, new Random(65)));

        assertThatThrownBy(() -> signer.sign(new byte[10], 8, 3, new byte[65], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> signer.sign(new byte[10], -1, 3, new byte[65], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> signer.sign(new byte[10], 0, 10, new byte[65], 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldRefuseScalarsOutOfRange(SignatureScheme scheme) {
        SigningKey key = key(scheme, new Random(66));
        byte[] tooLarge = new byte[32];
        Arrays.fill(tooLarge, (byte) 0xFF);

        assertThatThrownBy(() -> new JniSigner(key.verificationKey(), new byte[32]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new JniSigner(key.verificationKey(), tooLarge))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSignFromSeveralThreads() throws Exception {
        SigningKey key = key(SignatureScheme.SM2_SM3, new Random(67));
        Signer signer = Signers.named("jni", key);
        byte[] message = new byte[48];
        byte[] expected = Signers.named("bc", key).sign(message);
        Callable<Boolean> work = () -> {
            boolean isAlike = true;
            for (int i = 0; i < 500; i++) {
                isAlike &= Arrays.equals(signer.sign(message), expected);
            }
            return isAlike;
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Boolean> results = new ArrayList<>();
            for (Future<Boolean> done : threads.invokeAll(List.of(work, work, work))) {
                results.add(done.get());
            }
            assertThat(results).containsOnly(true);
        } finally {
            threads.shutdown();
        }
    }

    private static SigningKey key(SignatureScheme scheme, Random random) {
        byte[] scalar = new byte[32];
        random.nextBytes(scalar);
        scalar[0] &= 0x7F;
        return SigningKey.of(scheme, scalar);
    }
}
