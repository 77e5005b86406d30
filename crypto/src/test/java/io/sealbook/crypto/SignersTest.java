package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SignersTest {
    /** A provider whose signatures are the Java signers', changed. */
    private record TestProvider(String name, int signaturesPerSecond, UnaryOperator<byte[]> change)
            implements SignerProvider {
        @Override
        public Optional<Signer> openSigner(VerificationKey key, byte[] scalar32) {
            Signer reference = SigningKey.of(key.scheme(), scalar32).javaSigner();
            return Optional.of(new TestSigner(reference, change));
        }

        @Override
        public String status() {
            return "a test";
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
        Signers.Choice choice = choose(null, RIGHT, BROKEN, WRONG, RIGHT_AND_FASTER);

        assertThat(choice.provider()).contains(RIGHT_AND_FASTER);
        assertThat(choice.description())
                .hasSize(5)
                .anyMatch(line -> line.startsWith("broken: passed over") && line.contains("no such function"))
                .anyMatch(line -> line.startsWith("wrong: passed over, self-test failed"))
                .anyMatch(line -> line.startsWith("faster: chosen"))
                .anyMatch(line -> line.startsWith("right: not needed"));
    }

    @Test
    void shouldFallBackOnJava() {
        Signers.Choice choice = choose(null, WRONG, BROKEN);

        assertThat(choice.provider()).isEmpty();
        assertThat(choice.description()).last().isEqualTo("bc: chosen");
    }

    @Test
    void shouldObeyOverride() {
        assertThat(choose("right", RIGHT, RIGHT_AND_FASTER).provider()).contains(RIGHT);
        assertThat(choose("bc", RIGHT, RIGHT_AND_FASTER).provider()).isEmpty();
        assertThatThrownBy(() -> choose("wrong", RIGHT, WRONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wrong: passed over");
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
            public Optional<Signer> openSigner(VerificationKey key, byte[] scalar32) {
                given[0] = scalar32;
                return Optional.empty();
            }

            @Override
            public String status() {
                return "keeps what it is given";
            }
        };

        Signers.open(keeping, TestKeys.key(SignatureScheme.SM2_SM3, new Random(52)));

        assertThat(given[0]).hasSize(32).containsOnly(0);
    }

    private static Signers.Choice choose(String wanted, SignerProvider... providers) {
        return Signers.choose(new Signers.Installed(List.of(providers), List.of()), wanted);
    }
}
