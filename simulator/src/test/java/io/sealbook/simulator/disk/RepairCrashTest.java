package io.sealbook.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.CertificateGap;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.storage.CallerThread;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * An archive whose machine fails at each write, force and rename of a repair: afterwards each block is whole or named,
 * no other one has changed, and the repair can be done again. Blocks 1 to 10 in segments of 4, and their certificates.
 */
class RepairCrashTest {
    private static final Digest GENESIS = Digest.sha256(new byte[] {6, 1});
    private static final int LENGTH = 10;
    private static final long[] DAMAGED = {2, 9};

    private final List<Block> chain = new ArrayList<>();
    private int callsLeft = Integer.MAX_VALUE;

    private static final class MachineFailure extends RuntimeException {
        MachineFailure() {
            super("the machine fails", null, false, false);
        }
    }

    RepairCrashTest() {
        Digest previous = GENESIS;
        for (long sequence = 1; sequence <= LENGTH; sequence++) {
            byte[] batch = new byte[600];
            new SplittableRandom(sequence).nextBytes(batch);
            Block block = Block.wrap(new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.sha256(batch), previous, 0)
                    .add(Digest.sha256(batch), sequence, batch, 0, batch.length)
                    .build());
            previous = block.hash();
            chain.add(block);
        }
    }

    private void pass() {
        if (callsLeft-- <= 0) {
            throw new MachineFailure();
        }
    }

    private static BlockArchive open(Path directory) {
        return BlockArchive.open(
                directory, new ArchiveConfig(GENESIS, 4, Durability.DISK), new CallerThread(), () -> 61);
    }

    private static CheckpointCertificate certificate(Block block) {
        return new CheckpointCertificate(
                block.header().sequence(),
                block.hash(),
                Digest.ZERO,
                Digest.ZERO,
                List.of(new CertificateSignature(0, new byte[CertificateSignature.LENGTH])));
    }

    /** Returns a disk whose blocks 2 and 9, and one of whose certificates, are damaged. */
    private SimulatedDisk damagedDisk(long seed) {
        callsLeft = Integer.MAX_VALUE;
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedDisk disk = new SimulatedDisk(random.split(), this::pass);
        Path directory = disk.directory("archive");
        try (BlockArchive archive = open(directory)) {
            for (Block block : chain) {
                archive.append(block);
                archive.sync();
                archive.putCertificate(certificate(block));
            }
        }
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            for (long sequence : DAMAGED) {
                String file = String.format("segment-%019d.blocks", sequence - (sequence - 1) % 4);
                long offset = reader.facts(sequence).orElseThrow().offset();
                disk.rot(directory.resolve(file).toString(), offset + 300, 100, random);
            }
        }
        disk.rot(directory.resolve("certificates.log").toString(), 48 + 30, 4, random);
        return disk;
    }

    private void repair(Path directory) {
        try (BlockArchive archive = open(directory)) {
            for (long sequence : DAMAGED) {
                try {
                    archive.read(sequence);
                } catch (BlockDamagedException e) {
                    assertThat(archive.health().repair(chain.get((int) sequence - 1)))
                            .isTrue();
                }
            }
            for (CertificateGap gap : archive.health().certificateGaps()) {
                archive.health().repair(gap, List.of(certificate(chain.getFirst())));
            }
        }
    }

    private void assertWhole(Path directory) {
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            for (Block block : chain) {
                long sequence = block.header().sequence();
                assertThat(reader.read(sequence)).contains(block.bytes());
                assertThat(reader.certificateAtOrAfter(sequence)).contains(certificate(block));
            }
            assertThat(reader.lastSequence()).isEqualTo(LENGTH);
        }
    }

    private void assertNothingElseChanged(Path directory) {
        try (BlockArchive archive = open(directory)) {
            for (Block block : chain) {
                try {
                    assertThat(archive.read(block.header().sequence())).contains(block.bytes());
                } catch (BlockDamagedException e) {
                    assertThat(DAMAGED).contains(e.sequence());
                }
            }
        }
    }

    @Test
    void shouldBeAsItWasOrWholeWhereverTheMachineFails() {
        int failures = 0;
        for (int calls = 0; ; calls++) {
            boolean isDone = true;
            for (long seed = 0; seed < 3; seed++) {
                SimulatedDisk disk = damagedDisk(seed);
                Path directory = disk.directory("archive");
                callsLeft = calls;
                try {
                    repair(directory);
                } catch (MachineFailure e) {
                    isDone = false;
                    failures++;
                    if (seed == 0) {
                        disk.killProcess();
                    } else {
                        disk.failPower();
                    }
                }
                callsLeft = Integer.MAX_VALUE;
                assertNothingElseChanged(directory);
                repair(directory);
                assertWhole(directory);
            }
            if (isDone) {
                break;
            }
        }

        assertThat(failures).isGreaterThan(30);
    }
}
