package io.sealbook.perf.bench.archive;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.util.Random;

/** A chain of blocks of equal shape, from a seed. */
public final class BenchBlocks {
    public static final Digest GENESIS_DIGEST = Digest.ZERO;

    private final BlockBuilder builder = new BlockBuilder();
    private final Random random = new Random(20_261_121);
    private final int batches;
    private final byte[] batch;
    private Digest previousHash = GENESIS_DIGEST;
    private long sequence;

    /**
     * Makes a chain.
     *
     * @param batches in each block
     * @param batchLength bytes of each batch
     */
    public BenchBlocks(int batches, int batchLength) {
        this.batches = batches;
        this.batch = new byte[batchLength];
    }

    /** Returns the next block; the array is the caller's. */
    public byte[] next() {
        Sha256 sha256 = new Sha256();
        builder.begin(++sequence, 0, sequence, Digest.ZERO, previousHash);
        for (int i = 0; i < batches; i++) {
            random.nextBytes(batch);
            builder.add(sha256.update(batch).digest(), sequence, batch, 0, batch.length);
        }
        byte[] block = builder.build();
        previousHash = Block.wrap(block).hash();
        return block;
    }
}
