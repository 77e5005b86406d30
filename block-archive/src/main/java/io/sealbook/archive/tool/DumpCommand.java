package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.administration.ProposedTransaction;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "dump", description = "Prints block headers, one per line, with their batches and orders if asked for.")
final class DumpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(names = "--block", paramLabel = "N", description = "Only this block, with its batches.")
    private Long only;

    @Mixin
    private BlockRange range;

    @Option(names = "--batches", description = "Print the batches of each block too.")
    private boolean isWithBatches;

    @Option(names = "--orders", description = "Print the orders of each batch too, or its administrative transaction.")
    private boolean isWithOrders;

    @Option(names = "--json", description = "One JSON object per block, batches included.")
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
            long first = only != null ? only : range.window().first(archive);
            long last = only != null ? only : range.window().last(archive);
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
                out.println(text.json(isWithOrders));
                return true;
            }
            out.println(text.header());
            boolean isWhole = true;
            for (int i = 0; i < block.batchCount() && (isWithBatches || isWithOrders || only != null); i++) {
                out.println(text.batch(i));
                isWhole &= !isWithOrders || dumpOrders(out, block, i);
            }
            return isWhole;
        } catch (BlockDamagedException e) {
            out.println("fault " + e.getMessage());
            return false;
        }
    }

    private static boolean dumpOrders(PrintWriter out, Block block, int batchIndex) {
        Optional<ProposedTransaction> proposed = ProposedTransaction.of(block, batchIndex);
        if (proposed.isPresent()) {
            out.println(proposed.get().line());
            return true;
        }
        List<ArchivedOrder> orders = new BlockOrders().of(block, batchIndex);
        for (ArchivedOrder order : orders) {
            out.println(OrderText.line(order.place().orderIndex(), order.fields()));
        }
        if (orders.isEmpty()) {
            out.println(
                    "fault batch " + batchIndex + " of block " + block.header().sequence() + " is no batch of orders");
        }
        return !orders.isEmpty();
    }
}
