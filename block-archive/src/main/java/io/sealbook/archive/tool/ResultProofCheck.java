package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.result.ResultVerdict;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.ResultCell;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Judges the file of a result proof and prints the verdict with the result, and with the entry that caused it. */
final class ResultProofCheck {
    private final PrintWriter out;
    private final Optional<Path> archive;

    /** Takes the archive in which the entry that caused a result is looked up; without one it is not printed. */
    ResultProofCheck(PrintWriter out, Optional<Path> archive) {
        this.out = out;
        this.archive = archive;
    }

    /** Returns the exit code. */
    int judge(byte[] file, ResultProofVerifier verifier) {
        ResultProof proof;
        try {
            proof = ResultProof.decode(file);
        } catch (IllegalArgumentException e) {
            out.println("verdict refused");
            out.println("fact " + e.getMessage());
            return ArchiveTool.WRONG;
        }
        ResultVerdict verdict = verifier.verify(proof);
        return switch (verdict) {
            case ResultProven proven -> {
                out.println("verdict proven");
                ResultText.print(out, proof.sequence(), proof.place(), proven.result());
                boolean isRight = printEntry(proof, proven.result());
                out.println("certifiedSequence " + proven.certifiedSequence());
                out.println("signers " + proven.signers());
                out.println("quorum " + proven.quorum());
                out.println("epoch " + Integer.toUnsignedString(proven.epoch()));
                yield isRight ? ArchiveTool.OK : ArchiveTool.WRONG;
            }
            case ResultRefused refused -> {
                out.println("verdict refused");
                out.println("fault " + refused.fault());
                out.println("fact " + refused.fact());
                yield ArchiveTool.WRONG;
            }
        };
    }

    /** Returns false if the archive contradicts the certificate, or a block that leads to it is damaged. */
    private boolean printEntry(ResultProof proof, ResultCell result) {
        if (archive.isEmpty() || !ResultText.hasEntry(result)) {
            return true;
        }
        try (ArchiveReader reader = ArchiveReader.open(archive.get())) {
            out.println("entry " + entry(reader, proof, result));
            return true;
        } catch (BlockDamagedException | MalformedBlockException | ChainViolationException e) {
            out.println("entry not proven: " + e.getMessage());
            return false;
        }
    }

    /** @throws ChainViolationException if the entry's block is not the one that the certificate covers */
    private static String entry(ArchiveReader reader, ResultProof proof, ResultCell result) {
        Optional<Block> block = reader.read(proof.sequence()).map(Block::wrap);
        if (block.isEmpty()) {
            return "is not in the archive";
        }
        CheckpointCertificate certificate = proof.certificate();
        if (certificate.sequence() > reader.lastSequence()) {
            return "not proven: the archive ends before block " + certificate.sequence() + ", which is certified";
        }
        requireCertified(reader, block.get(), certificate);
        if (result.batchIndex() >= block.get().batchCount()) {
            return "is not in the archive";
        }
        int batchIndex = (int) result.batchIndex();
        requireContent(block.get(), batchIndex);
        List<ArchivedOrder> orders = new BlockOrders().of(block.get(), batchIndex);
        return result.orderIndex() < orders.size()
                ? OrderText.line(orders.get(result.orderIndex()))
                : "is not in the archive";
    }

    /** The hash of a block covers those of the blocks before it. */
    private static void requireCertified(ArchiveReader reader, Block block, CheckpointCertificate certificate) {
        Digest last = block.hash();
        for (long next = block.header().sequence() + 1; next <= certificate.sequence(); next++) {
            Block following = Block.wrap(reader.read(next).orElseThrow());
            if (!following.header().previousHash().equals(last)) {
                throw new ChainViolationException("block " + next + " of the archive does not follow the one before");
            }
            last = following.hash();
        }
        if (!last.equals(certificate.chainHash())) {
            throw new ChainViolationException("block " + certificate.sequence() + " of the archive has hash "
                    + last.hex() + ", the certificate names "
                    + certificate.chainHash().hex());
        }
    }

    /** The hash covers the root over the batch ids, and an id the bytes of its batch. */
    private static void requireContent(Block block, int batchIndex) {
        boolean hasId = BatchId.isOf(
                new Sha256(),
                block.array(),
                block.batchOffset(batchIndex),
                block.batchLength(batchIndex),
                block.batchId(batchIndex));
        if (!hasId || !block.hasMerkleRoot()) {
            throw new ChainViolationException("batch " + batchIndex + " of block "
                    + block.header().sequence() + " of the archive is not the one that its header names");
        }
    }
}
