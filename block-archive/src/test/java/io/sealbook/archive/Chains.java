package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chains of small blocks from a seed. */
final class Chains {
    static final Digest GENESIS_DIGEST = Digest.sha256(new byte[] {1, 2, 3});

    private Chains() {}

    static ArchiveConfig config(int blocksPerSegment) {
        return new ArchiveConfig(GENESIS_DIGEST, blocksPerSegment, Durability.PROCESS);
    }

    /** Returns blocks 1..count; each has 0..batchesMax batches of 1..batchLengthMax bytes. */
    static List<byte[]> chain(long seed, int count, int batchesMax, int batchLengthMax) {
        Random random = new Random(seed);
        List<byte[]> blocks = new ArrayList<>();
        Digest previousHash = GENESIS_DIGEST;
        for (int sequence = 1; sequence <= count; sequence++) {
            byte[] block = block(random, sequence, previousHash, random.nextInt(batchesMax + 1), batchLengthMax);
            blocks.add(block);
            previousHash = Block.wrap(block).hash();
        }
        return blocks;
    }

    static List<byte[]> chain(long seed, int count) {
        return chain(seed, count, 3, 40);
    }

    static byte[] block(Random random, long sequence, Digest previousHash, int batches, int batchLengthMax) {
        BlockBuilder builder = new BlockBuilder()
                .begin(sequence, random.nextInt(3), 1_000_000_000L * sequence, digest(random), previousHash);
        for (int i = 0; i < batches; i++) {
            byte[] batch = bytes(random, 1 + random.nextInt(batchLengthMax));
            builder.add(Digest.sha256(batch), 1_000_000_000L * sequence, batch, 0, batch.length);
        }
        return builder.build();
    }

    static CheckpointCertificate certificate(long seed, long sequence, Digest chainHash) {
        Random random = new Random(seed + sequence);
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            signatures.add(new CertificateSignature(node, bytes(random, CertificateSignature.LENGTH)));
        }
        return new CheckpointCertificate(sequence, chainHash, digest(random), digest(random), signatures);
    }

    static Digest digest(Random random) {
        return Digest.of(bytes(random, Digest.LENGTH));
    }

    static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
