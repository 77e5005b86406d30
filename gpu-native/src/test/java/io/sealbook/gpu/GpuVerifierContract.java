package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SignatureVerifierContract;
import io.sealbook.gpu.GpuCounters.Counter;
import io.sealbook.gpu.standin.StandInDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract of all verifiers through JCuda, and that it was the device which kept it: the CPU behind it would hide
 * any error.
 */
@Tag("stand-in-driver")
abstract class GpuVerifierContract extends SignatureVerifierContract {
    private GpuVerifier verifier;

    @BeforeAll
    static void loadDriver() {
        StandInDriver.load();
    }

    abstract KernelImage image();

    @Override
    protected SignatureVerifier open() {
        verifier = TestDevice.open(image(), TestDevice.SMALL);
        return verifier;
    }

    @AfterEach
    void shouldNotHaveNeededTheBreaker() {
        assertThat(verifier.deviceFault()).isEmpty();
        assertThat(verifier.count(Counter.DISAGREEMENTS)).isZero();
        assertThat(verifier.count(Counter.DEVICE_FAULTS)).isZero();
    }
}
