package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.ProviderFinding.Outcome;
import io.sealbook.crypto.ProviderSearch.Installed;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SignatureProvidersTest {
    private static final SignatureProvider BC = new BouncyCastleProvider();
    private static final SignatureProvider ABSENT =
            new Given("gpu", Integer.MAX_VALUE, () -> new Opening.Absent<>("no such device"));

    /** A provider given by value. */
    private record Given(String name, int verificationsPerSecond, Supplier<Opening<SignatureVerifier>> opening)
            implements SignatureProvider {
        @Override
        public Opening<SignatureVerifier> open() {
            return opening.get();
        }
    }

    private static Given opening(String name, int verificationsPerSecond, SignatureVerifier verifier) {
        return new Given(name, verificationsPerSecond, () -> new Opening.Opened<>(verifier, "a test"));
    }

    /** Gives every entry the same verdict, as a broken device would. */
    private static final class ConstantVerifier implements SignatureVerifier {
        private final boolean verdict;
        private boolean isClosed;

        ConstantVerifier(boolean verdict) {
            this.verdict = verdict;
        }

        @Override
        public String provider() {
            return "constant";
        }

        @Override
        public int verify(SignatureBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                batch.setValid(i, verdict);
            }
            return verdict ? batch.size() : 0;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void shouldFindBouncyCastle() {
        try (SignatureVerifier verifier = SignatureProviders.best()) {
            assertThat(verifier.provider()).isEqualTo("bc");
        }
        SignatureProviders.Choice choice = SignatureProviders.chooseNamed("bc");
        assertThat(choice.findings()).singleElement().asString().contains("bc: chosen, self-test passed");
        choice.verifier().close();
    }

    @Test
    void shouldRefuseUnknownName() {
        assertThatThrownBy(() -> SignatureProviders.named("abacus"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("abacus")
                .hasMessageContaining("bc: not asked for");
    }

    @Test
    void shouldPassOverVerifierThatAcceptsEverything() {
        assertPassedOver(new ConstantVerifier(true), "was accepted");
    }

    @Test
    void shouldPassOverVerifierThatRefusesEverything() {
        assertPassedOver(new ConstantVerifier(false), "was refused");
    }

    private static void assertPassedOver(ConstantVerifier broken, String reason) {
        SignatureProviders.Choice choice = choose(opening("fast", Integer.MAX_VALUE, broken), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings().get(0).isFault()).isTrue();
        assertThat(choice.findings().get(0).toString())
                .startsWith("fast: failed, self-test failed")
                .contains(reason)
                .endsWith("; bc is used instead");
        assertThat(broken.isClosed).isTrue();
    }

    @Test
    void shouldPassOverProviderWithoutItsLibrary() {
        SignatureProvider unlinked = new Given("jni", Integer.MAX_VALUE, () -> {
            throw new UnsatisfiedLinkError("no libsealbook");
        });

        SignatureProviders.Choice choice = choose(unlinked, BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings().get(0).isFault()).isTrue();
        assertThat(choice.findings().get(0).toString()).contains("jni: failed").contains("no libsealbook");
    }

    @Test
    void shouldPassOverAbsentDeviceAndSayWhy() {
        SignatureProviders.Choice choice = choose(ABSENT, BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings())
                .containsExactly(
                        new ProviderFinding("gpu", Outcome.ABSENT, "no such device"),
                        choice.findings().get(1));
        assertThat(choice.findings()).noneMatch(ProviderFinding::isFault);
    }

    @Test
    void shouldPreferFasterProvider() {
        SignatureProviders.Choice choice = choose(opening("slow", 1, new ConstantVerifier(true)), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings()).last().asString().startsWith("slow: not needed, bc is faster");
    }

    @Test
    void shouldRefuseNamedProviderThatIsAbsent() {
        Installed<SignatureProvider> installed = new Installed<>(List.of(BC, ABSENT), List.of());

        assertThatThrownBy(() -> SignatureProviders.choose(installed, "gpu"::equals, "provider gpu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu: absent, no such device");
    }

    private static SignatureProviders.Choice choose(SignatureProvider... providers) {
        return SignatureProviders.choose(new Installed<>(List.of(providers), List.of()), name -> true, "any provider");
    }
}
