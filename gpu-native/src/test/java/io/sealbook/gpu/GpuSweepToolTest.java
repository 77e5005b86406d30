package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.gpu.standin.StandInDriver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement itself, with tiny input on the stand-in device, so that it works on the day a device is there. */
@Tag("stand-in-driver")
class GpuSweepToolTest {
    @Test
    void shouldMeasureEverythingOnce() throws Exception {
        StandInDriver.load();
        SweepOptions options = SweepOptions.of(
                "signatures=96",
                "keys=3",
                "sizes=32",
                "blocks=32",
                "lanes=1,2",
                "windows=5:4",
                "threads=1,2",
                "batches=32",
                "millis=1");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CudaDevice device = new JCudaDriverCalls().devices().get(0);

        new GpuSweepTool(new PrintStream(out, true, StandardCharsets.UTF_8), options, TestDevice.SOURCE).run(device);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "96 mixed signatures compared: 0 wrong",
                        "| known keys | 32 | 32 |",
                        "| any keys | 32 | 32 |",
                        "| gpu | 2 | 32 |")
                .contains("| bc | 1 | 32 |");
    }
}
