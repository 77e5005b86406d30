package io.sealbook.gpu;

/** The contract under kernels compiled from their sources. */
class SourceKernelsVerifierTest extends GpuVerifierContract {
    @Override
    KernelImage image() {
        return TestDevice.SOURCE;
    }
}
