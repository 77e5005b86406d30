package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The blocks of another source; it notes which were read. */
public final class ForwardedBlocks implements BlockSource {
    private final BlockSource source;
    private final List<Long> read = new ArrayList<>();
    private final List<WeakReference<byte[]>> bytesRead = new ArrayList<>();

    public ForwardedBlocks(BlockSource source) {
        this.source = source;
    }

    /** Returns the blocks that were read, in order; one that is not here is not named. */
    public List<Long> read() {
        return List.copyOf(read);
    }

    /** Returns how many blocks that were read are in memory still, after a collection of garbage. */
    public long heldCount() {
        System.gc();
        return bytesRead.stream().filter(bytes -> bytes.get() != null).count();
    }

    @Override
    public Optional<byte[]> read(long sequence) {
        Optional<byte[]> block = source.read(sequence);
        block.ifPresent(bytes -> {
            read.add(sequence);
            bytesRead.add(new WeakReference<>(bytes));
        });
        return block;
    }

    @Override
    public Digest genesisDigest() {
        return source.genesisDigest();
    }

    @Override
    public long firstSequence() {
        return source.firstSequence();
    }

    @Override
    public long lastSequence() {
        return source.lastSequence();
    }

    @Override
    public Optional<BlockFacts> facts(long sequence) {
        return source.facts(sequence);
    }

    @Override
    public Optional<CheckpointCertificate> latestCertificate() {
        return source.latestCertificate();
    }

    @Override
    public Optional<CheckpointCertificate> certificateAtOrAfter(long sequence) {
        return source.certificateAtOrAfter(sequence);
    }
}
