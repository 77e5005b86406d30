package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.storage.CallerThread;
import io.sealbook.node.restart.StartUp;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.simulator.disk.SimulatedDisk;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What seeds showed in the shell's restart, in a few steps. */
class RestartTest {
    private static final ArchiveConfig CONFIG = new ArchiveConfig(Digest.ZERO, 16, Durability.DISK);

    /** Once: a block that a killed process had not synced was handed on at the restart, then lost with the power. */
    @Test
    void shouldMakeABlockDurableBeforeItIsHandedOn() {
        for (long seed = 0; seed < 20; seed++) {
            SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(seed), () -> {});
            BlockArchive killed = open(disk);
            killed.append(new BlockBuilder()
                    .begin(1, 0, 1, Digest.ZERO, killed.lastHash())
                    .build());
            disk.killProcess();

            Engine engine = new Engine(GenesisFile.withDefaults(SimulatedMarket.genesis(Scenario.of(seed))), () -> {});
            StartUp.repairQueue(open(disk), engine);
            disk.failPower();

            assertThat(engine.lastSequence()).isEqualTo(1);
            assertThat(open(disk).lastSequence()).as("seed %d", seed).isEqualTo(1);
        }
    }

    private static BlockArchive open(SimulatedDisk disk) {
        return BlockArchive.open(disk.directory("archive"), CONFIG, new CallerThread(), () -> 1);
    }
}
