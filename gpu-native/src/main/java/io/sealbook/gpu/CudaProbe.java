package io.sealbook.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What one look at the driver found. Never an exception: a machine without a device is an ordinary machine.
 *
 * @param devices what the driver lists; may be empty
 * @param absence why there are none, in one line; empty if there are some
 * @param isFault whether NVIDIA's kernel driver is there, so that a missing device is a fault
 */
record CudaProbe(List<CudaDevice> devices, String absence, boolean isFault) {
    /** Exists where NVIDIA's kernel driver runs. */
    private static final Path KERNEL_DRIVER = Path.of("/proc/driver/nvidia/version");

    private static final int REASON_LENGTH_MAX = 160;

    CudaProbe {
        devices = List.copyOf(devices);
    }

    /** The driver, or a stand-in whose failure is known. */
    @FunctionalInterface
    interface Driver {
        List<CudaDevice> devices();
    }

    /** Asks the driver of this machine once. */
    static CudaProbe of(Driver driver) {
        return of(driver, Files.exists(KERNEL_DRIVER));
    }

    /**
     * Asks a driver once.
     *
     * @param driver lists devices, or throws
     * @param hasKernelDriver whether a device is to be expected
     */
    static CudaProbe of(Driver driver, boolean hasKernelDriver) {
        try {
            List<CudaDevice> devices = driver.devices();
            boolean isEmpty = devices.isEmpty();
            return new CudaProbe(devices, isEmpty ? "no CUDA device" : "", isEmpty && hasKernelDriver);
        } catch (LinkageError e) {
            return absent("JCuda's native library or the CUDA driver cannot be loaded", e, hasKernelDriver);
        } catch (RuntimeException e) {
            return absent("the CUDA driver refused", e, hasKernelDriver);
        }
    }

    private static CudaProbe absent(String what, Throwable cause, boolean isFault) {
        return new CudaProbe(List.of(), what + " (" + firstLine(cause) + ")", isFault);
    }

    /** JCuda's messages run over a page; the first line names the library or the driver's code. */
    private static String firstLine(Throwable cause) {
        String message = String.valueOf(cause.getMessage()).strip();
        String line = cause.getClass().getSimpleName() + ": "
                + message.lines().findFirst().orElse("");
        return line.length() <= REASON_LENGTH_MAX ? line : line.substring(0, REASON_LENGTH_MAX) + "...";
    }
}
