package io.sealbook.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.lock.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The power fails at each step of replacing a file. */
class ReplacedFileTest {
    private static final int SEEDS = 50;
    private static final byte[] OLD = "the old bytes".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NEW = "new bytes, and more of them".getBytes(StandardCharsets.UTF_8);

    /** The machine fails here. */
    private static final class PowerFailure extends RuntimeException {}

    private int stepsLeft = Integer.MAX_VALUE;

    @Test
    void shouldLeaveTheOldBytesOrTheNewOnes() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            for (int step = 0; !isReplaced(seed, step); step++) {}
        }
    }

    /** Returns whether the replacement came to its end before the step at which the power fails. */
    private boolean isReplaced(int seed, int step) throws IOException {
        stepsLeft = Integer.MAX_VALUE;
        SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(seed), this::countStep);
        Path file = Files.createDirectories(disk.directory("node")).resolve("file");
        WholeFile.replace(file, OLD);
        boolean hasReturned = false;
        stepsLeft = step;
        try {
            WholeFile.replace(file, NEW);
            hasReturned = true;
        } catch (PowerFailure e) {
            // In the middle of it.
        }
        stepsLeft = Integer.MAX_VALUE;

        disk.failPower();

        byte[] left = Files.readAllBytes(file);
        if (hasReturned) {
            assertThat(left).isEqualTo(NEW);
        } else {
            assertThat(left).as("seed %d, step %d", seed, step).isIn(OLD, NEW);
        }
        return hasReturned;
    }

    private void countStep() {
        if (stepsLeft-- == 0) {
            throw new PowerFailure();
        }
    }
}
