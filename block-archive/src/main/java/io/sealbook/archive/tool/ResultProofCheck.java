package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.result.ResultVerdict;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
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
                archive.ifPresent(directory -> printEntry(directory, proof.sequence(), proven.result()));
                out.println("certifiedSequence " + proven.certifiedSequence());
                out.println("signers " + proven.signers());
                out.println("quorum " + proven.quorum());
                out.println("epoch " + Integer.toUnsignedString(proven.epoch()));
                yield ArchiveTool.OK;
            }
            case ResultRefused refused -> {
                out.println("verdict refused");
                out.println("fault " + refused.fault());
                out.println("fact " + refused.fact());
                yield ArchiveTool.WRONG;
            }
        };
    }

    private void printEntry(Path directory, long sequence, ResultCell result) {
        if (!ResultText.hasEntry(result)) {
            return;
        }
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            out.println("entry " + entry(reader, sequence, result));
        }
    }

    private static String entry(ArchiveReader reader, long sequence, ResultCell result) {
        Optional<Block> block = reader.read(sequence).map(Block::wrap);
        if (block.isEmpty() || result.batchIndex() >= block.get().batchCount()) {
            return "is not in the archive";
        }
        List<ArchivedOrder> orders = new BlockOrders().of(block.get(), (int) result.batchIndex());
        return result.orderIndex() < orders.size()
                ? OrderText.line(orders.get(result.orderIndex()))
                : "is not in the archive";
    }
}
