package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SignatureProvidersTest {
    private static final SignatureProvider BC = new BouncyCastleProvider();

    /** A provider given by value. */
    private record Given(String name, int verificationsPerSecond, Supplier<Optional<SignatureVerifier>> opening)
            implements SignatureProvider {
        @Override
        public Optional<SignatureVerifier> openVerifier() {
            return opening.get();
        }

        @Override
        public String status() {
            return "no such device";
        }
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
        assertThat(choice.description()).singleElement().asString().contains("bc: chosen, self-test passed");
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
        SignatureProviders.Choice choice = choose(new Given("fast", Integer.MAX_VALUE, () -> Optional.of(broken)), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.description().get(0))
                .startsWith("fast: passed over, self-test failed")
                .contains(reason);
        assertThat(broken.isClosed).isTrue();
    }

    @Test
    void shouldPassOverProviderWithoutItsLibrary() {
        SignatureProvider unlinked = new Given("jni", Integer.MAX_VALUE, () -> {
            throw new UnsatisfiedLinkError("no libsealbook");
        });

        SignatureProviders.Choice choice = choose(unlinked, BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.description().get(0)).contains("jni: passed over").contains("no libsealbook");
    }

    @Test
    void shouldPassOverAbsentDeviceAndSayWhy() {
        SignatureProviders.Choice choice = choose(new Given("gpu", Integer.MAX_VALUE, Optional::empty), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.description()).first().isEqualTo("gpu: absent, no such device");
    }

    @Test
    void shouldPreferFasterProvider() {
        SignatureProvider slow = new Given("slow", 1, () -> Optional.of(new ConstantVerifier(true)));

        SignatureProviders.Choice choice = choose(slow, BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.description()).last().asString().startsWith("slow: not needed");
    }

    @Test
    void shouldRefuseNamedProviderThatIsAbsent() {
        SignatureProviders.Installed installed = new SignatureProviders.Installed(
                List.of(BC, new Given("gpu", Integer.MAX_VALUE, Optional::empty)), List.of());

        assertThatThrownBy(() -> SignatureProviders.choose(installed, "gpu"::equals, "provider gpu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu: absent, no such device");
    }

    private static SignatureProviders.Choice choose(SignatureProvider... providers) {
        return SignatureProviders.choose(
                new SignatureProviders.Installed(List.of(providers), List.of()), name -> true, "any provider");
    }
}
