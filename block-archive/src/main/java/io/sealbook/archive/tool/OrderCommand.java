package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
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
import picocli.CommandLine.Spec;

@Command(
        name = "order",
        description = {
            "Prints one order with everything that the archive holds about it.",
            "The signatures are not checked: 'prove' and 'verify-proof' do that."
        })
final class OrderCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(names = "--block", paramLabel = "N", required = true, description = "Sequence of the block.")
    private long sequence;

    @Option(names = "--batch", paramLabel = "I", required = true, description = "Place of the batch in it, from 0.")
    private int batchIndex;

    @Option(names = "--order", paramLabel = "K", required = true, description = "Place of the order in it, from 0.")
    private int orderIndex;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader archive = argument.open()) {
            Optional<Block> block = archive.read(sequence).map(Block::wrap);
            if (block.isEmpty()) {
                return missing("block " + sequence + " is not here, archive has " + archive.firstSequence() + ".."
                        + archive.lastSequence());
            }
            if (batchIndex < 0 || batchIndex >= block.get().batchCount()) {
                return missing(
                        "block " + sequence + " has " + block.get().batchCount() + " batches, none at " + batchIndex);
            }
            List<ArchivedOrder> orders = new BlockOrders().of(block.get(), batchIndex);
            if (orderIndex < 0 || orderIndex >= orders.size()) {
                return missing("batch " + batchIndex + " of block " + sequence + " has " + orders.size()
                        + " orders, none at " + orderIndex);
            }
            print(out, archive, block.get(), orders.get(orderIndex));
            return ArchiveTool.OK;
        }
    }

    private int missing(String fact) {
        spec.commandLine().getErr().println(fact);
        return ArchiveTool.WRONG;
    }

    private void print(PrintWriter out, ArchiveReader archive, Block block, ArchivedOrder order) {
        out.println("block " + sequence);
        out.println("batch " + batchIndex);
        out.println("order " + orderIndex);
        OrderText.placed(order).forEach((name, value) -> out.println(name + " " + value));
        out.println("executed "
                + archive.facts(sequence)
                        .filter(facts -> facts.executionTimeNs().isPresent())
                        .map(facts -> DescribeCommand.time(
                                        facts.executionTimeNs().getAsLong())
                                .toString())
                        .orElse("unknown"));
        out.println("certifiedSequence "
                + archive.certificateAtOrAfter(sequence)
                        .map(CheckpointCertificate::sequence)
                        .map(String::valueOf)
                        .orElse("none"));
    }
}
