package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.Digest;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares what {@code verify} reads with another archive of the chain: hashes of blocks, which cover everything but
 * brokers' signatures, and what certificates of the same block say. Two archives that differ are two histories, of
 * which at most one is the chain's; that the other one is longer shows that this one ends early.
 */
final class ArchiveComparison implements Comparison {
    private final ArchiveReader other;
    private final PrintWriter out;
    private final Consumer<String> faults;
    private long equal;
    private long lastEqual;
    private long damaged;
    /** First block with another hash; all after it differ too. 0 if there is none. */
    private long forkedAt;

    /**
     * @param other stays the caller's
     * @param out receives facts
     * @param faults receives what is wrong
     */
    ArchiveComparison(ArchiveReader other, PrintWriter out, Consumer<String> faults) {
        this.other = other;
        this.out = out;
        this.faults = faults;
    }

    @Override
    public void onBlock(Block block) {
        long sequence = block.header().sequence();
        if (forkedAt > 0) {
            return;
        }
        try {
            hashOf(sequence).ifPresent(hash -> compare(sequence, block.hash(), hash));
        } catch (BlockDamagedException e) {
            damaged++;
        }
    }

    private Optional<Digest> hashOf(long sequence) {
        return other.read(sequence).map(bytes -> Block.wrap(bytes).hash());
    }

    private void compare(long sequence, Digest here, Digest there) {
        if (here.equals(there)) {
            equal++;
            lastEqual = sequence;
        } else {
            forkedAt = sequence;
            faults.accept("block " + sequence + " has hash " + here.hex() + ", in the other archive " + there.hex()
                    + ": the archives differ from there on");
        }
    }

    @Override
    public void onCertificate(CheckpointCertificate certificate) {
        other.certificateAtOrAfter(certificate.sequence())
                .filter(there -> there.sequence() == certificate.sequence())
                .filter(there -> !there.chainHash().equals(certificate.chainHash())
                        || !there.resultDigest().equals(certificate.resultDigest())
                        || !there.proposalDigest().equals(certificate.proposalDigest()))
                .ifPresent(there -> faults.accept("certificate " + certificate.sequence()
                        + " says something else in the other archive: " + facts(certificate) + ", there "
                        + facts(there)));
    }

    private static String facts(CheckpointCertificate certificate) {
        return "chain hash " + certificate.chainHash().hex() + ", result digest "
                + certificate.resultDigest().hex();
    }

    @Override
    public boolean printEnd(long last) {
        out.println("against " + equal + " equal blocks, the other archive has " + other.firstSequence() + ".."
                + other.lastSequence() + (damaged == 0 ? "" : ", " + damaged + " damaged ones of it not compared"));
        boolean isShort = other.lastSequence() > last;
        if (isShort) {
            out.println("behind " + (other.lastSequence() - last) + " blocks of the other archive");
        }
        boolean isCompared = equal > 0 && lastEqual == Math.min(last, other.lastSequence());
        if (!isCompared && forkedAt == 0) {
            out.println("not compared: the newest block of both archives");
        }
        return isCompared && !isShort;
    }
}
