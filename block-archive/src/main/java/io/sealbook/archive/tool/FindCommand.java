package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.order.OrderSearch;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "find",
        description = {
            "Finds a broker's order by its ClOrdID: the order, its cancels and its replaces, the oldest first.",
            "Every block of the range is read; --since and --until narrow it to a trading day.",
            "An OrderID(37) is not in the blocks: GET /api/order-ids/ID of an engine returns broker and ClOrdID."
        })
final class FindCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Mixin
    private BlockRange range;

    @Option(
            names = "--broker",
            paramLabel = "ID",
            required = true,
            converter = UnsignedArgument.IntConverter.class,
            description = "Broker id of the genesis file.")
    private UnsignedArgument broker;

    @Option(
            names = "--cl-ord-id",
            paramLabel = "ID",
            required = true,
            description = "FIX ClOrdID(11), a decimal number without a sign.")
    private UnsignedArgument clOrdId;

    @Option(names = "--json", description = "One JSON object per order.")
    private boolean isJson;

    @Override
    public Integer call() {
        try (ArchiveReader archive = argument.open()) {
            long first = range.window().first(archive);
            long last = range.window().last(archive);
            Findings findings = new Findings(first, last);
            new OrderSearch(archive).search(first, last, new OrderQuery(broker.asInt(), clOrdId.asLong()), findings);
            if (findings.found == 0) {
                spec.commandLine()
                        .getErr()
                        .println("no order of broker " + broker + " with ClOrdID " + clOrdId + " in "
                                + (last < first ? "an empty range of blocks" : "blocks " + first + ".." + last));
            }
            return findings.found > 0 && findings.isWhole ? ArchiveTool.OK : ArchiveTool.WRONG;
        }
    }

    /** Prints what is found. */
    private final class Findings implements OrderSearch.Listener {
        private final PrintWriter out = spec.commandLine().getOut();
        private final Progress progress;
        private final long first;
        private long found;
        private boolean isWhole = true;

        Findings(long first, long last) {
            this.first = first;
            this.progress = new Progress(spec.commandLine().getErr(), "searched block", last - first + 1);
        }

        @Override
        public void onOrder(ArchivedOrder order) {
            found++;
            out.println(isJson ? OrderText.json(order) : OrderText.line(order));
        }

        @Override
        public void onUnreadable(long sequence, String fact) {
            isWhole = false;
            out.println("fault " + fact);
        }

        @Override
        public void onSearched(long sequence) {
            progress.reached(sequence - first + 1);
        }
    }
}
