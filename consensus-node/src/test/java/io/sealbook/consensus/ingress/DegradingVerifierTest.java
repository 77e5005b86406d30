package io.sealbook.consensus.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.VerifierState;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.ProviderFinding;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node reports of an accelerator that fails: one whose provider takes over, and one that throws. */
class DegradingVerifierTest {
    private final NodeMetrics metrics = new NodeMetrics(new SimpleMeterRegistry(), new NodeState(Digest.ZERO));

    /** A device that works until a test lets it fail. */
    private static final class Device implements SignatureVerifier {
        boolean hasFailed;
        boolean isThrowing;

        @Override
        public String provider() {
            return hasFailed && !isThrowing ? "jni" : "gpu";
        }

        @Override
        public int verify(SignatureBatch batch) {
            if (hasFailed && isThrowing) {
                throw new DeviceException("fell off the bus");
            }
            return batch.size();
        }

        @Override
        public Optional<String> deviceFault() {
            return hasFailed ? Optional.of("fell off the bus") : Optional.empty();
        }

        @Override
        public BatchPreference preferredBatch() {
            return new BatchPreference(65, 4_096, 65_536, BatchPreference.Callers.ONE);
        }

        @Override
        public void close() {}
    }

    /** What takes over. */
    private static final class Native implements SignatureVerifier {
        @Override
        public String provider() {
            return "jni";
        }

        @Override
        public int verify(SignatureBatch batch) {
            return batch.size();
        }

        @Override
        public void close() {}
    }

    private double faults() {
        return metrics.registry().get("sealbook.node.device.faults").counter().count();
    }

    private static SignatureProviders.Choice choice(SignatureVerifier verifier, ProviderFinding... findings) {
        return new SignatureProviders.Choice(verifier, 4_000_000, List.of(findings));
    }

    private DegradingVerifier opened(Device device) {
        return new DegradingVerifier(
                choice(device),
                failed -> {
                    assertThat(failed).isEqualTo("gpu");
                    return new SignatureProviders.Choice(new Native(), 500_000, List.of());
                },
                metrics);
    }

    @Test
    void shouldCountADeviceThatItsProviderReplaces() {
        Device device = new Device();
        DegradingVerifier verifier = opened(device);
        verifier.verify(new SignatureBatch(1));
        assertThat(faults()).isZero();
        assertThat(verifier.state()).isEqualTo(new VerifierState("gpu", 4_000_000, ""));

        device.hasFailed = true;
        verifier.verify(new SignatureBatch(1));
        verifier.verify(new SignatureBatch(1));

        assertThat(faults()).isEqualTo(1);
        assertThat(verifier.provider()).isEqualTo("jni");
        assertThat(verifier.state()).isEqualTo(new VerifierState("jni", 0, "fell off the bus"));
        verifier.close();
    }

    @Test
    void shouldReplaceADeviceThatThrows() {
        Device device = new Device();
        device.isThrowing = true;
        DegradingVerifier verifier = opened(device);

        device.hasFailed = true;
        verifier.verify(new SignatureBatch(1));

        assertThat(faults()).isEqualTo(1);
        assertThat(verifier.state()).isEqualTo(new VerifierState("jni", 500_000, "fell off the bus"));
        assertThat(verifier.deviceFault()).contains("fell off the bus");
        verifier.close();
    }

    /** The ring's threads were laid out for the device and go on. */
    @Test
    void shouldKeepThePreferenceOfTheChosenProvider() {
        Device device = new Device();
        device.isThrowing = true;
        DegradingVerifier verifier = opened(device);
        device.hasFailed = true;
        verifier.verify(new SignatureBatch(1));

        assertThat(verifier.preferredBatch()).isEqualTo(device.preferredBatch());
        verifier.close();
    }

    @Test
    void shouldCountADeviceThatFailedBeforeTheChoice() {
        ProviderFinding finding = new ProviderFinding("gpu", ProviderFinding.Outcome.FAILED, "its self-test failed");

        DegradingVerifier verifier =
                new DegradingVerifier(choice(new Native(), finding), failed -> choice(new Native()), metrics);

        assertThat(faults()).isEqualTo(1);
        assertThat(verifier.state().fault()).isEqualTo("gpu: failed, its self-test failed");
        verifier.close();
    }
}
