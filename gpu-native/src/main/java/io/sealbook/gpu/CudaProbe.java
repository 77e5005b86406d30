package io.sealbook.gpu;

import java.util.List;

/**
 * What one look at the driver found: devices, or one line that says why there are none. Never an exception: a machine without a device is
 * an ordinary machine.
 */
record CudaProbe(List<CudaDevice> devices, String absence) {
    private static final int REASON_LENGTH_MAX = 160;

    CudaProbe {
        devices = List.copyOf(devices);
    }

    /** The driver, or a stand-in whose failure is known. */
    @FunctionalInterface
    interface Driver {
        List<CudaDevice> devices();
    }

    /** Asks the driver once. */
    static CudaProbe of(Driver driver) {
        try {
            List<CudaDevice> devices = driver.devices();
            return new CudaProbe(devices, devices.isEmpty() ? "no CUDA device" : "");
        } catch (LinkageError e) {
            return absent("JCuda's native library or the CUDA driver is not installed", e);
        } catch (RuntimeException e) {
            return absent("the CUDA driver refused", e);
        }
    }

    private static CudaProbe absent(String what, Throwable cause) {
        return new CudaProbe(List.of(), what + " (" + firstLine(cause) + ")");
    }

    /** JCuda's messages run over a page; the first line names the library or the driver's code. */
    private static String firstLine(Throwable cause) {
        String message = String.valueOf(cause.getMessage()).strip();
        String line = cause.getClass().getSimpleName() + ": "
                + message.lines().findFirst().orElse("");
        return line.length() <= REASON_LENGTH_MAX ? line : line.substring(0, REASON_LENGTH_MAX) + "...";
    }
}
