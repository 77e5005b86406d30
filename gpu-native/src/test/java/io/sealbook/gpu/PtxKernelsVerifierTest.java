package io.sealbook.gpu;

/** The contract under the checked-in PTX. */
class PtxKernelsVerifierTest extends GpuVerifierContract {
    @Override
    KernelImage image() {
        return KernelImage.ofResource();
    }
}
