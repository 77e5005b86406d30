package io.sealbook.gpu;

/**
 * A CUDA device as the driver describes it.
 *
 * @param ordinal the driver's number of the device, from 0
 * @param computeMajor major number of the compute capability
 * @param computeMinor minor number of the compute capability
 * @param memoryBytes total global memory
 */
record CudaDevice(int ordinal, String name, int computeMajor, int computeMinor, long memoryBytes) {
    @Override
    public String toString() {
        return String.format("%s (sm_%d%d, %d MiB)", name, computeMajor, computeMinor, memoryBytes >> 20);
    }
}
