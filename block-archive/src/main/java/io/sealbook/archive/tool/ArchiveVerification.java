package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.Durability;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;

/** One run over an archive; prints a line for each thing that is wrong and counts what is right. */
final class ArchiveVerification {
    private final ArchiveReader archive;
    private final PrintWriter out;
    private final PrintWriter err;
    private long blocks;
    private long batches;
    private long certificates;
    private long faults;

    ArchiveVerification(ArchiveReader archive, PrintWriter out, PrintWriter err) {
        this.archive = archive;
        this.out = out;
        this.err = err;
    }

    void verifyBlocks() {
        Progress progress = new Progress(err, "block", archive.lastSequence());
        BlockHeader previous = null;
        for (long sequence = archive.firstSequence(); sequence <= archive.lastSequence(); sequence++) {
            previous = verifyBlock(sequence, previous);
            progress.reached(sequence);
        }
    }

    /** Returns the block's header; null if the block is damaged, so that the next one's link cannot be checked. */
    private BlockHeader verifyBlock(long sequence, BlockHeader previous) {
        try {
            archive.checkRecordHeader(sequence);
        } catch (BlockDamagedException e) {
            fault(e.getMessage());
        }
        try {
            Block block = Block.wrap(archive.read(sequence).orElseThrow());
            verifyContent(sequence, block);
            verifyLink(sequence, block.header(), previous);
            blocks++;
            batches += block.batchCount();
            return block.header();
        } catch (BlockDamagedException | MalformedBlockException e) {
            fault(e.getMessage());
            return null;
        }
    }

    private void verifyContent(long sequence, Block block) {
        if (block.header().sequence() != sequence) {
            fault("block " + sequence + ": holds sequence " + block.header().sequence());
        }
        if (!block.hasMerkleRoot()) {
            fault("block " + sequence + ": batch ids do not lead to the Merkle root");
        }
        OptionalInt mismatch = BatchContent.firstMismatch(block);
        if (mismatch.isPresent()) {
            fault("block " + sequence + ": batch " + mismatch.getAsInt() + " is not the one its id names");
        }
    }

    private void verifyLink(long sequence, BlockHeader header, BlockHeader previous) {
        if (sequence == 1 && !Arrays.equals(header.previousHash(), archive.genesisDigest())) {
            fault("block 1: previous hash is not the genesis digest");
        }
        if (previous == null) {
            return;
        }
        if (!Arrays.equals(header.previousHash(), previous.hash())) {
            fault("block " + sequence + ": previous hash " + hex(header.previousHash()) + ", expected "
                    + hex(previous.hash()));
        }
        if (header.blockTimeNs() < previous.blockTimeNs()) {
            fault("block " + sequence + ": block time " + header.blockTimeNs() + " after " + previous.blockTimeNs());
        }
    }

    /**
     * Names the files behind a segment that has lost its end. They have not been read, so they pass only when it is said that the node
     * does not force segments and so deletes them.
     */
    void judgeLostFiles(Optional<Durability> durability) {
        for (Path file : archive.lostFiles()) {
            if (durability.isPresent()) {
                out.println("lostFile " + file);
            } else {
                fault(file + ": not read, because the segment before it ends with block " + archive.lastSequence()
                        + "; --durability says whether a loss of power (process) or damage (disk) did that");
            }
        }
    }

    /** Checks that the certificates are about this chain. */
    void verifyCertificates() {
        for (Optional<CheckpointCertificate> next = archive.certificateAtOrAfter(1); next.isPresent(); ) {
            verifyCertificate(next.get());
            next = archive.certificateAtOrAfter(next.get().sequence() + 1);
        }
    }

    /** Checks that the certificates are about this chain and signed by a quorum. */
    void verifyCertificates(GenesisFile genesis, SignatureVerifier verifier) {
        if (!Arrays.equals(genesis.digest(), archive.genesisDigest())) {
            fault("genesis file has digest " + hex(genesis.digest()) + ", the archive's is "
                    + hex(archive.genesisDigest()));
            return;
        }
        CertificateVerifier certificateVerifier = new CertificateVerifier(genesis, verifier);
        for (Optional<CheckpointCertificate> next = archive.certificateAtOrAfter(1); next.isPresent(); ) {
            verifyCertificate(next.get());
            SortedSet<Integer> signers = certificateVerifier.signers(next.get());
            if (signers.size() < certificateVerifier.quorum()) {
                fault("certificate " + next.get().sequence() + ": valid signatures of nodes " + signers
                        + ", expected of " + certificateVerifier.quorum() + " nodes");
            }
            next = archive.certificateAtOrAfter(next.get().sequence() + 1);
        }
    }

    private void verifyCertificate(CheckpointCertificate certificate) {
        certificates++;
        long sequence = certificate.sequence();
        try {
            byte[] hash = archive.read(sequence)
                    .map(block -> Block.wrap(block).hash())
                    .orElse(null);
            if (hash != null && !Arrays.equals(hash, certificate.chainHash())) {
                fault("certificate " + sequence + ": chain hash " + hex(certificate.chainHash()) + ", the block's is "
                        + hex(hash));
            }
        } catch (BlockDamagedException | MalformedBlockException e) {
            out.println("certificate " + sequence + ": its block is damaged and cannot be compared");
        }
    }

    /** Prints the counts; true if nothing was wrong. */
    boolean summary() {
        out.println("blocks " + blocks);
        out.println("batches " + batches);
        out.println("certificates " + certificates);
        out.println("tornBytes " + archive.tornBytes());
        out.println("faults " + faults);
        return faults == 0;
    }

    private void fault(String fact) {
        faults++;
        out.println("fault " + fact);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
