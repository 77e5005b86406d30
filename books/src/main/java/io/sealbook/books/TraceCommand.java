package io.sealbook.books;

import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch;
import io.sealbook.engine.trace.LifeText;
import io.sealbook.engine.trace.OrderLife;
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
        OrderLife life =
                new LifeSearch(directory, LifeSearch.Scope.all(from, to)).search(brokerId, id, areCounterpartsShown);
        LifeText.lines(life, isJson).forEach(spec.commandLine().getOut()::println);
        if (life.events().isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("no order of broker " + broker + " with ClOrdID " + clOrdId + " in blocks "
                            + life.searchedFrom() + ".." + life.searchedTo());
            return BooksTool.FAILED;
        }
        return BooksTool.OK;
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
