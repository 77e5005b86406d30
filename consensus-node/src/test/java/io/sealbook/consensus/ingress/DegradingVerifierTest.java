package io.sealbook.consensus.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Digest;
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
        public void close() {}
    }

    private double faults() {
        return metrics.registry().get("sealbook.node.device.faults").counter().count();
    }

    @Test
    void shouldCountADeviceThatItsProviderReplaces() {
        Device device = new Device();
        DegradingVerifier verifier = new DegradingVerifier(device, metrics);
        verifier.verify(new SignatureBatch(1));
        assertThat(faults()).isZero();

        device.hasFailed = true;
        verifier.verify(new SignatureBatch(1));
        verifier.verify(new SignatureBatch(1));

        assertThat(faults()).isEqualTo(1);
        assertThat(verifier.provider()).isEqualTo("jni");
        verifier.close();
    }

    @Test
    void shouldReplaceADeviceThatThrows() {
        Device device = new Device();
        device.isThrowing = true;
        DegradingVerifier verifier = new DegradingVerifier(device, metrics);

        device.hasFailed = true;
        verifier.verify(new SignatureBatch(1));

        assertThat(faults()).isEqualTo(1);
        assertThat(verifier.provider()).isEqualTo("bc");
        verifier.close();
    }
}
