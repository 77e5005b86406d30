package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "dump", description = "Prints block headers, one a line, and the batches of each when asked.")
final class DumpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(names = "--block", paramLabel = "N", description = "Only this block, with its batches.")
    private Long only;

    @Option(names = "--from", paramLabel = "N", description = "First block; the archive's first when not given.")
    private Long from;

    @Option(names = "--to", paramLabel = "N", description = "Last block; the archive's last when not given.")
    private Long to;

    @Option(names = "--batches", description = "Print the batches of each block too.")
    private boolean isWithBatches;

    @Option(names = "--json", description = "One JSON object a line, batches included.")
    private boolean isJson;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader archive = argument.open()) {
            if (only != null && archive.facts(only).isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "block " + only + " is not here, archive has " + archive.firstSequence() + ".."
                                + archive.lastSequence());
            }
            long first = only != null
                    ? only
                    : from != null ? Math.max(from, archive.firstSequence()) : archive.firstSequence();
            long last =
                    only != null ? only : to != null ? Math.min(to, archive.lastSequence()) : archive.lastSequence();
            boolean isWhole = true;
            for (long sequence = first; sequence <= last; sequence++) {
                isWhole &= dump(out, archive, sequence);
            }
            return isWhole ? ArchiveTool.OK : ArchiveTool.WRONG;
        }
    }

    private boolean dump(PrintWriter out, ArchiveReader archive, long sequence) {
        try {
            Block block = Block.wrap(archive.read(sequence).orElseThrow());
            BlockText text = new BlockText(block, archive.facts(sequence).orElseThrow());
            if (isJson) {
                out.println(text.json());
                return true;
            }
            out.println(text.header());
            for (int i = 0; i < block.batchCount() && (isWithBatches || only != null); i++) {
                out.println(text.batch(i));
            }
            return true;
        } catch (BlockDamagedException e) {
            out.println("fault " + e.getMessage());
            return false;
        }
    }
}
