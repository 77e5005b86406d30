package io.sealbook.chaos.audit;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockFacts;
import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Archives of a chain of three blocks, of one batch of broker 2 each. */
public final class SampleArchive {
    static final SeededOrders ORDERS = new SeededOrders(5, 2, 3);
    public static final int BLOCKS = 3;
    /** A segment of two is closed, so that its blocks are read only when they are asked for. */
    private static final int BLOCKS_PER_SEGMENT = 2;

    private static final Digest GENESIS = Digest.ZERO;

    private final List<SealedBatch> batches;

    public SampleArchive() {
        BatchSealer sealer = new BatchSealer(
                1, 2, 1, SigningKey.generate(SignatureScheme.SM2_SM3).signer(), 256, BatchPosition.first(0));
        batches = LongStream.rangeClosed(1, BLOCKS)
                .mapToObj(number -> sealer.seal(ORDERS.batch(number), 1_000, number))
                .toList();
    }

    /** Writes an archive; those of another time differ in each block. */
    public Path write(Path archive, int blocks, long timeNs) {
        ArchiveConfig config = new ArchiveConfig(GENESIS, BLOCKS_PER_SEGMENT, Durability.PROCESS);
        try (BlockArchive writer = BlockArchive.open(archive, config)) {
            Digest previous = GENESIS;
            for (int i = 0; i < blocks; i++) {
                byte[] signed = batches.get(i).signedBytes();
                var block = new BlockBuilder()
                        .begin(i + 1, 0, timeNs + i, Digest.ZERO, previous)
                        .add(Digest.of(batches.get(i).batchId()), i, signed, 0, signed.length)
                        .buildBlock();
                writer.append(block.bytes());
                previous = block.hash();
            }
        }
        return archive;
    }

    /** Changes a bit of a block of the first segment. */
    public static void damage(Path archive, long block) throws IOException {
        BlockFacts facts;
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            facts = reader.facts(block).orElseThrow();
        }
        Path segment;
        try (Stream<Path> files = Files.list(archive)) {
            segment = files.filter(file -> file.toString().endsWith(".blocks"))
                    .min(Path::compareTo)
                    .orElseThrow();
        }
        try (RandomAccessFile bytes = new RandomAccessFile(segment.toFile(), "rw")) {
            bytes.seek(facts.offset() + facts.length() / 2);
            int value = bytes.read();
            bytes.seek(facts.offset() + facts.length() / 2);
            bytes.write(value ^ 1);
        }
    }
}
