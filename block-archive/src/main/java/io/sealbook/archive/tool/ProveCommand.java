package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.vocabulary.Digest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "prove",
        description = "Writes the proof that a batch was ordered, for someone who has the genesis file only.")
final class ProveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @ArgGroup(multiplicity = "1")
    private Which which;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "File to write; it must not exist.")
    private Path outFile;

    @Option(
            names = "--no-content",
            description = "Leave the signed bytes of the batch out; they prove what is in the batch.")
    private boolean isWithoutContent;

    /** The damaged blocks that a search passed over. */
    private final BlockRanges notSearched = new BlockRanges();

    /** By id or by place. */
    static final class Which {
        @Option(names = "--batch", paramLabel = "ID", required = true, description = "Batch id, 64 hexadecimal digits.")
        private String batchId;

        @ArgGroup(exclusive = false)
        private Place place;
    }

    /** A place in the chain. */
    static final class Place {
        @Option(names = "--block", paramLabel = "N", required = true, description = "Sequence of the block.")
        private long sequence;

        @Option(names = "--index", paramLabel = "I", required = true, description = "Place of the batch in it, from 0.")
        private int index;

        Place() {}

        Place(long sequence, int index) {
            this.sequence = sequence;
            this.index = index;
        }
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader archive = argument.open()) {
            Place place = which.place != null ? which.place : find(archive, id(which.batchId));
            if (place == null) {
                out.println("batch " + which.batchId + " is not in blocks " + archive.firstSequence() + ".."
                        + archive.lastSequence()
                        + (notSearched.isEmpty() ? "" : "; not searched, damaged: " + notSearched));
                return ArchiveTool.WRONG;
            }
            InclusionProof proof = new InclusionProver(archive).prove(place.sequence, place.index, !isWithoutContent);
            byte[] bytes = proof.encode();
            ToolFiles.write(outFile, bytes);
            out.println("batch " + proof.batchId().hex());
            out.println("block " + place.sequence);
            out.println("index " + place.index);
            out.println("certifiedSequence " + proof.certificate().sequence());
            out.println("proofBytes " + bytes.length);
            out.println("proofFile " + outFile);
            return ArchiveTool.OK;
        }
    }

    private Digest id(String hex) {
        if (hex.length() != 2 * Digest.LENGTH || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new ParameterException(spec.commandLine(), "--batch wants 64 hexadecimal digits, got '" + hex + "'");
        }
        return Digest.of(HexFormat.of().parseHex(hex));
    }

    /** Searches from the newest block back; the archive keeps no index by batch id. Null if no whole block has it. */
    private Place find(ArchiveReader archive, Digest batchId) {
        PrintWriter err = spec.commandLine().getErr();
        long blocks = archive.lastSequence() - archive.firstSequence() + 1;
        Progress progress = new Progress(err, "searched block", blocks);
        for (long searched = 1; searched <= blocks; searched++) {
            long sequence = archive.lastSequence() - searched + 1;
            try {
                OptionalInt index = InclusionProver.indexOf(
                        Block.wrap(archive.read(sequence).orElseThrow()), batchId);
                if (index.isPresent()) {
                    return new Place(sequence, index.getAsInt());
                }
            } catch (BlockDamagedException e) {
                err.println("not searched: " + e.getMessage());
                notSearched.addBefore(sequence);
            }
            progress.reached(searched);
        }
        return null;
    }
}
