package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SignersTest {
    /** A provider whose signatures are the Java signers', changed. */
    private record TestProvider(String name, int signaturesPerSecond, UnaryOperator<byte[]> change)
            implements SignerProvider {
        @Override
        public Opening<Signer> open(VerificationKey key, byte[] scalar32) {
            Signer reference = SigningKey.of(key.scheme(), scalar32).javaSigner();
            return new Opening.Opened<>(new TestSigner(reference, change), "a test");
        }
    }

    private record TestSigner(Signer reference, UnaryOperator<byte[]> change) implements Signer {
        @Override
        public SignatureScheme scheme() {
            return reference.scheme();
        }

        @Override
        public VerificationKey verificationKey() {
            return reference.verificationKey();
        }

        @Override
        public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
            byte[] whole = java.util.Arrays.copyOfRange(message, offset, offset + length);
            System.arraycopy(change.apply(reference.sign(whole)), 0, signature, signatureOffset, 65);
        }
    }

    /** Swaps r and s of what it signs together. */
    private record SwappingSigner(Signer right) implements Signer {
        @Override
        public SignatureScheme scheme() {
            return right.scheme();
        }

        @Override
        public VerificationKey verificationKey() {
            return right.verificationKey();
        }

        @Override
        public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
            right.sign(message, offset, length, signature, signatureOffset);
        }

        @Override
        public void signAll(byte[] messages, int messageLength, int count, byte[] signatures) {
            right.signAll(messages, messageLength, count, signatures);
            for (int i = 0; i < count; i++) {
                int r = i * SignatureScheme.SIGNATURE_LENGTH;
                byte[] first = java.util.Arrays.copyOfRange(signatures, r, r + 32);
                System.arraycopy(signatures, r + 32, signatures, r, 32);
                System.arraycopy(first, 0, signatures, r + 32, 32);
            }
        }
    }

    private static final SignerProvider RIGHT = new TestProvider("right", 10, UnaryOperator.identity());
    private static final SignerProvider RIGHT_AND_FASTER = new TestProvider("faster", 20, UnaryOperator.identity());
    private static final SignerProvider WRONG = new TestProvider("wrong", 30, signature -> {
        signature[64] ^= 1;
        return signature;
    });
    private static final SignerProvider BROKEN = new TestProvider("broken", 40, signature -> {
        throw new UnsatisfiedLinkError("no such function");
    });

    @Test
    void shouldTakeFastestThatPassesSelfTest() {
        Signers.Choice choice = choose(RIGHT, BROKEN, WRONG, RIGHT_AND_FASTER);

        assertThat(choice.provider()).contains(RIGHT_AND_FASTER);
        assertThat(choice.findings().stream().map(ProviderFinding::toString))
                .hasSize(5)
                .anyMatch(line -> line.startsWith("broken: failed")
                        && line.contains("no such function")
                        && line.endsWith("; faster is used instead"))
                .anyMatch(line -> line.startsWith("wrong: failed, self-test failed"))
                .anyMatch(line -> line.startsWith("faster: chosen"))
                .anyMatch(line -> line.startsWith("right: not needed"))
                .anyMatch(line -> line.equals("bc: not needed, faster is faster"));
    }

    @Test
    void shouldFallBackOnJava() {
        Signers.Choice choice = choose(WRONG, BROKEN);

        assertThat(choice.provider()).isEmpty();
        assertThat(choice.findings()).last().asString().startsWith("bc: chosen");
        assertThat(choice.findings()).filteredOn(ProviderFinding::isFault).hasSize(2);
    }

    @Test
    void shouldOpenByName() {
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(51));

        assertThat(Signers.named("bc", key)).isInstanceOf(Sm2Signer.class);
        assertThatThrownBy(() -> Signers.named("none", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldWipeScalarOnceGiven() {
        byte[][] given = new byte[1][];
        SignerProvider keeping = new SignerProvider() {
            @Override
            public String name() {
                return "keeping";
            }

            @Override
            public int signaturesPerSecond() {
                return 1;
            }

            @Override
            public Opening<Signer> open(VerificationKey key, byte[] scalar32) {
                given[0] = scalar32;
                return new Opening.Absent<>("keeps what it is given");
            }
        };

        Signers.open(keeping, TestKeys.key(SignatureScheme.SM2_SM3, new Random(52)));

        assertThat(given[0]).hasSize(32).containsOnly(0);
    }

    /** Brokers sign many batches at once. */
    @Test
    void shouldPassOverProviderThatSignsManyWrongly() {
        SignerProvider swapping = new SignerProvider() {
            @Override
            public String name() {
                return "swapping";
            }

            @Override
            public int signaturesPerSecond() {
                return 30;
            }

            @Override
            public Opening<Signer> open(VerificationKey key, byte[] scalar32) {
                Signer right = SigningKey.of(key.scheme(), scalar32).javaSigner();
                return new Opening.Opened<>(new SwappingSigner(right), "a test");
            }
        };

        Signers.Choice choice = choose(swapping, RIGHT);

        assertThat(choice.provider()).contains(RIGHT);
        assertThat(choice.findings().get(0).toString())
                .startsWith(
                        "swapping: failed, self-test failed: 1 signatures at once under SM2_SM3 differ from Java's");
    }

    private static Signers.Choice choose(SignerProvider... providers) {
        return Signers.choose(new ProviderSearch.Installed<>(List.of(providers), List.of()));
    }
}
