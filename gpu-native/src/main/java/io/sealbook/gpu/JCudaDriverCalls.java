package io.sealbook.gpu;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/** Lists devices through the driver API. Makes no context, so it leaves nothing on the device. */
final class JCudaDriverCalls implements CudaProbe.Driver {
    private static final int NAME_LENGTH_MAX = 256;

    /**
     * {@inheritDoc}
     *
     * @throws LinkageError if JCuda's native library cannot be loaded
     * @throws jcuda.CudaException if the driver reports an error
     */
    @Override
    public List<CudaDevice> devices() {
        JCudaLibrary.DRIVER.load(() -> JCudaDriver.setExceptionsEnabled(true));
        JCudaDriver.cuInit(0);
        int[] count = new int[1];
        JCudaDriver.cuDeviceGetCount(count);
        List<CudaDevice> devices = new ArrayList<>();
        for (int ordinal = 0; ordinal < count[0]; ordinal++) {
            devices.add(device(ordinal));
        }
        return devices;
    }

    private static CudaDevice device(int ordinal) {
        CUdevice device = new CUdevice();
        JCudaDriver.cuDeviceGet(device, ordinal);
        byte[] name = new byte[NAME_LENGTH_MAX];
        JCudaDriver.cuDeviceGetName(name, name.length, device);
        long[] memoryBytes = new long[1];
        JCudaDriver.cuDeviceTotalMem(memoryBytes, device);
        return new CudaDevice(
                ordinal,
                text(name),
                attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                memoryBytes[0]);
    }

    private static int attribute(CUdevice device, int attribute) {
        int[] value = new int[1];
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device);
        return value[0];
    }

    private static String text(byte[] zeroTerminated) {
        int length = 0;
        while (length < zeroTerminated.length && zeroTerminated[length] != 0) {
            length++;
        }
        return new String(zeroTerminated, 0, length, StandardCharsets.US_ASCII);
    }
}
