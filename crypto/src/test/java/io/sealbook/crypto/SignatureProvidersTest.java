package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.ProviderFinding.Outcome;
import io.sealbook.crypto.ProviderSearch.Installed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SignatureProvidersTest {
    private static final SignatureProvider BC = new BouncyCastleProvider();
    private static final SignatureProvider ABSENT = new Given("gpu", () -> new Opening.Absent<>("no such device"));

    /** A provider given by value. */
    private record Given(String name, Supplier<Opening<SignatureVerifier>> opening) implements SignatureProvider {
        @Override
        public Opening<SignatureVerifier> open(VerifierSettings settings) {
            return opening.get();
        }
    }

    private static Given opening(String name, SignatureVerifier verifier) {
        return new Given(name, () -> new Opening.Opened<>(verifier, "a test"));
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
        SignatureProviders.Choice choice = SignatureProviders.choose(VerifierSettings.named("bc"));
        assertThat(choice.findings()).singleElement().asString().contains("bc: chosen, self-test passed");
        choice.verifier().close();
    }

    /** A program opens several, and each test is hundreds of verifications of code that is not compiled yet. */
    @Test
    void shouldTestCodeThatIsTheSameEachTimeOncePerProcess() {
        AtomicInteger calls = new AtomicInteger();
        SignatureProvider testedOnce = new SignatureProvider() {
            @Override
            public String name() {
                return "once";
            }

            @Override
            public Opening<SignatureVerifier> open(VerifierSettings settings) {
                return new Opening.Opened<>(new CountingVerifier(calls), "a test");
            }

            @Override
            public boolean isTestedOncePerProcess() {
                return true;
            }
        };
        SignatureProviders.Choice first = choose(testedOnce);
        int callsOfOneTest = calls.get();

        SignatureProviders.Choice second = choose(testedOnce);

        assertThat(callsOfOneTest).isPositive();
        assertThat(calls).hasValue(callsOfOneTest);
        assertThat(second.verifier()).isNotSameAs(first.verifier());
        assertThat(second.verificationsPerSecond()).isEqualTo(first.verificationsPerSecond());
        assertThat(second.findings()).isEqualTo(first.findings());
    }

    @Test
    void shouldTestEachVerifierOfADevice() {
        AtomicInteger calls = new AtomicInteger();
        SignatureProvider device = opening("device", new CountingVerifier(calls));
        choose(device);
        int callsOfOneTest = calls.get();

        choose(device);

        assertThat(calls.get()).isGreaterThan(callsOfOneTest);
    }

    /** Verifies by Bouncy Castle and counts. */
    private static final class CountingVerifier implements SignatureVerifier {
        private final SignatureVerifier right = new BouncyCastleVerifier();
        private final AtomicInteger calls;

        CountingVerifier(AtomicInteger calls) {
            this.calls = calls;
        }

        @Override
        public String provider() {
            return "counting";
        }

        @Override
        public int verify(SignatureBatch batch) {
            calls.incrementAndGet();
            return right.verify(batch);
        }

        @Override
        public void close() {
            right.close();
        }
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

    /** As one whose code for keys with tables is wrong. */
    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldPassOverVerifierThatAcceptsEverythingOfAKnownKey(SignatureScheme wrong) {
        SignatureProviders.Choice choice = choose(opening("fast", new TrustingVerifier(wrong)), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings().get(0).toString())
                .startsWith("fast: failed, self-test failed: " + wrong)
                .contains("damaged signature was accepted");
        choice.verifier().close();
    }

    /** Verifies by Bouncy Castle, but accepts everything of a key of one scheme from some use on. */
    private static final class TrustingVerifier implements SignatureVerifier {
        private static final int USES = 50;

        private final SignatureVerifier right = new BouncyCastleVerifier();
        private final Map<VerificationKey, Integer> uses = new HashMap<>();
        private final SignatureScheme wrong;

        TrustingVerifier(SignatureScheme wrong) {
            this.wrong = wrong;
        }

        @Override
        public String provider() {
            return "trusting";
        }

        @Override
        public int verify(SignatureBatch batch) {
            int validCount = right.verify(batch);
            for (int i = 0; i < batch.size(); i++) {
                VerificationKey key = batch.key(i);
                if (uses.merge(key, 1, Integer::sum) > USES && key.scheme() == wrong && !batch.isValid(i)) {
                    batch.setValid(i, true);
                    validCount++;
                }
            }
            return validCount;
        }

        @Override
        public void close() {
            right.close();
        }
    }

    private static void assertPassedOver(ConstantVerifier broken, String reason) {
        SignatureProviders.Choice choice = choose(opening("fast", broken), BC);

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
        SignatureProvider unlinked = new Given("jni", () -> {
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

    /** Right, after a pause: what a device would be whose calls take that long. */
    private static final class PausingVerifier implements SignatureVerifier {
        private final SignatureVerifier reference = new BouncyCastleVerifier();
        private final int pauseMs;
        private boolean isClosed;

        PausingVerifier(int pauseMs) {
            this.pauseMs = pauseMs;
        }

        @Override
        public String provider() {
            return "pausing";
        }

        @Override
        public int verify(SignatureBatch batch) {
            try {
                Thread.sleep(pauseMs);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return reference.verify(batch);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /**
     * Whatever the order on the class path; the slower ones are closed. The slow one pauses 0.5 s per batch of 16, so
     * no machine measures more than 32 verifications/s of it.
     */
    @Test
    void shouldTakeTheProviderThatIsFasterHere() {
        for (boolean isSlowFirst : new boolean[] {true, false}) {
            PausingVerifier slow = new PausingVerifier(500);
            Given given = opening("slow", slow);

            SignatureProviders.Choice choice = isSlowFirst ? choose(given, BC) : choose(BC, given);

            assertThat(choice.verifier().provider()).isEqualTo("bc");
            assertThat(choice.verificationsPerSecond()).isPositive();
            assertThat(choice.findings())
                    .filteredOn(finding -> finding.provider().equals("slow"))
                    .singleElement()
                    .asString()
                    .matches("slow: not needed, [123]?[0-9] verifications/s measured, bc is faster");
            assertThat(slow.isClosed).isTrue();
        }
    }

    /** The self-test's few signatures do not show it. */
    @Test
    void shouldPassOverVerifierThatFailsUnderLoad() {
        SignatureVerifier reference = new BouncyCastleVerifier();
        SignatureVerifier failing = new SignatureVerifier() {
            @Override
            public String provider() {
                return "failing";
            }

            @Override
            public int verify(SignatureBatch batch) {
                int validCount = reference.verify(batch);
                return batch.size() == 16 ? validCount - 1 : validCount;
            }

            @Override
            public void close() {
                reference.close();
            }
        };

        SignatureProviders.Choice choice = choose(opening("failing", failing), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings().get(0).toString())
                .contains("failing: failed", "1 of 16 right signatures were refused", "bc is used instead");
    }

    @Test
    void shouldRefuseNamedProviderThatIsAbsent() {
        Installed<SignatureProvider> installed = new Installed<>(List.of(BC, ABSENT), List.of());

        assertThatThrownBy(() -> SignatureProviders.choose(installed, VerifierSettings.named("gpu")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu: absent, no such device");
    }

    /** A provider with one setting, which chooses its verdict. */
    private static final class WithSetting implements SignatureProvider {
        @Override
        public String name() {
            return "set";
        }

        @Override
        public void check(ProviderSettings settings) {
            settings.number("lanes", 3);
            settings.refuseUnknown();
        }

        @Override
        public Opening<SignatureVerifier> open(VerifierSettings settings) {
            return new Opening.Absent<>("lanes " + settings.of("set").number("lanes", 3) + ", another "
                    + settings.of("other").number("lanes", 7));
        }
    }

    @Test
    void shouldHandSettingsToTheirProvider() {
        assertThat(absence(Map.of())).isEqualTo("lanes 3, another 7");
        assertThat(absence(Map.of("set.lanes", " 16 "))).isEqualTo("lanes 16, another 7");
    }

    /** A verifier replaces its device itself: what it measures then is not the device's speed. */
    @Test
    void shouldPassOverVerifierWhoseDeviceFailsWhileItIsMeasured() {
        SignatureVerifier failing = new SignatureVerifier() {
            private final SignatureVerifier reference = new BouncyCastleVerifier();

            @Override
            public String provider() {
                return "failing";
            }

            @Override
            public int verify(SignatureBatch batch) {
                return reference.verify(batch);
            }

            @Override
            public Optional<String> deviceFault() {
                return Optional.of("fell off the bus");
            }

            @Override
            public void close() {
                reference.close();
            }
        };

        SignatureProviders.Choice choice = choose(opening("failing", failing), BC);

        assertThat(choice.verifier().provider()).isEqualTo("bc");
        assertThat(choice.findings().get(0).isFault()).isTrue();
        assertThat(choice.findings().get(0).detail()).contains("fell off the bus");
    }

    private static String absence(Map<String, String> values) {
        SignatureProviders.Choice choice = SignatureProviders.choose(
                new Installed<>(List.of(new WithSetting(), BC), List.of()), new VerifierSettings("best", values));
        return choice.findings().get(0).detail();
    }

    @Test
    void shouldRefuseSettingsThatNoProviderReads() {
        assertRefused("set.lane", "2", "unknown keys [lane] in verifier.set.*, known are [lanes]");
        assertRefused("bc.lanes", "2", "unknown keys [lanes] in verifier.bc.*, known are []");
        assertRefused("abacus.lanes", "2", "verifier.abacus.lanes names none of the providers [set, bc]");
        assertRefused("lanes", "2", "verifier.lanes names no provider");
        assertRefused("set.lanes", "4294967296", "verifier.set.lanes=4294967296 is not a number of 32 bits");
        assertRefused("set.lanes", "two", "verifier.set.lanes=two is not a whole number");
    }

    /** Also where the settings name another provider: they are of this machine, and one day it is chosen. */
    private static void assertRefused(String key, String value, String message) {
        for (String provider : List.of("best", "bc")) {
            assertThatThrownBy(() -> SignatureProviders.choose(
                            new Installed<>(List.of(new WithSetting(), BC), List.of()),
                            new VerifierSettings(provider, Map.of(key, value))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
        }
    }

    private static SignatureProviders.Choice choose(SignatureProvider... providers) {
        return SignatureProviders.choose(new Installed<>(List.of(providers), List.of()), VerifierSettings.best());
    }
}
