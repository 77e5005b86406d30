package io.sealbook.books;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.books.table.BlockSpan;
import io.sealbook.books.table.EarlyReports;
import io.sealbook.engine.reports.ReportScan;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch;
import io.sealbook.engine.trace.LifeText;
import io.sealbook.engine.trace.OrderLife;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trace}: the life of an order. */
@Command(
        name = "trace",
        description = {
            "Prints the life of an order, an event per line, under whichever of its ClOrdIDs: the signed entries with",
            "block, batch and certificate, every report (acceptance, fills, replaces, cancels, refusals), its state.",
            "'searchedTo' is the last block whose reports are all filed; standard error names what the archive has",
            "beyond it.",
            "Nothing is proven by it: 'prove' and 'verify-proof' of block-archive.jar do that for what it names."
        })
final class TraceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeArgument node;

    @Option(names = "--broker", paramLabel = "ID", required = true, description = "Broker id of the genesis file.")
    private String broker;

    @Option(
            names = "--cl-ord-id",
            paramLabel = "ID",
            required = true,
            description = "FIX ClOrdID(11), a decimal number without a sign.")
    private String clOrdId;

    @Option(
            names = "--counterparts",
            description = "Also the other side of each trade: for auditors, not for the eyes of a broker.")
    private boolean areCounterpartsShown;

    @Option(names = "--json", description = "One JSON object per line.")
    private boolean isJson;

    @Option(names = "--from", defaultValue = "1", paramLabel = "N", description = "First block.")
    private long from;

    @Option(names = "--to", defaultValue = "9223372036854775807", paramLabel = "N", description = "Last block.")
    private long to;

    @Override
    public Integer call() {
        EngineDirectory directory = new EngineDirectory(node.path());
        int brokerId = parsed("--broker", broker, () -> Integer.parseUnsignedInt(broker));
        long id = parsed("--cl-ord-id", clOrdId, () -> Long.parseUnsignedLong(clOrdId));
        LifeSearch search = new LifeSearch(directory, LifeSearch.Scope.all(from, to));
        try (ArchiveReader archive = ArchiveReader.open(directory.archive())) {
            OrderLife life = search.search(archive, brokerId, id, areCounterpartsShown);
            LifeText.lines(life, isJson).forEach(spec.commandLine().getOut()::println);
            long archived = Math.min(to, archive.lastSequence());
            PrintWriter err = spec.commandLine().getErr();
            lacks(directory, brokerId).forEach(err::println);
            if (life.searchedTo() < archived) {
                err.println("reports of blocks " + Math.max(from, life.searchedTo() + 1) + ".." + archived
                        + " are not all filed yet: what became of the order there is not shown");
            }
            if (life.events().isEmpty()) {
                err.println("no order of broker " + broker + " with ClOrdID " + clOrdId + " in blocks "
                        + life.searchedFrom() + ".." + archived);
                return BooksTool.FAILED;
            }
            return BooksTool.OK;
        }
    }

    private List<String> lacks(EngineDirectory directory, int brokerId) {
        EarlyReports first = new EarlyReports();
        try (ReportScan scan =
                ReportScan.open(directory.reports().resolve("broker-" + Integer.toUnsignedString(brokerId)), from)) {
            if (scan.next()) {
                first.note(scan.report(), new BlockSpan(from, to));
            }
        }
        return first.facts();
    }

    private <T> T parsed(String option, String text, Callable<T> parser) {
        try {
            return parser.call();
        } catch (Exception e) {
            throw new ParameterException(
                    spec.commandLine(), option + " is '" + text + "', expected an unsigned decimal number", e);
        }
    }
}
