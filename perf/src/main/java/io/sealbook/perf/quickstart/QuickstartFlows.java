package io.sealbook.perf.quickstart;

import io.sealbook.perf.flow.FlowFiles;
import io.sealbook.perf.flow.OrderFlow;
import io.sealbook.perf.flow.SyntheticFlow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which flow each broker replays: the user's file, else the recorded days of the machine, else a sample made from a
 * seed.
 */
final class QuickstartFlows {
    private static final int BROKERS = 4;
    private static final int SAMPLE_COMMANDS = 100_000;

    private QuickstartFlows() {}

    static List<OrderFlow> choose(Path root, String flowFile, int limit, PrintStream out) throws IOException {
        List<OrderFlow> sources = new ArrayList<>();
        if (flowFile != null && !flowFile.isEmpty()) {
            sources.add(FlowFiles.read(Path.of(flowFile)));
        } else {
            for (Path file : FlowFiles.find(FlowFiles.dataDirectory(root))) {
                sources.add(FlowFiles.read(file));
            }
        }
        if (sources.isEmpty()) {
            out.println("No recorded days below " + FlowFiles.dataDirectory(root)
                    + ": each broker replays a sample market made from a seed.");
            out.println("Replay a file of your own with -Dquickstart.flow=FILE.");
            for (int i = 1; i <= BROKERS; i++) {
                sources.add(SyntheticFlow.generate("SAMPLE" + i, i, limit > 0 ? limit : SAMPLE_COMMANDS));
            }
        }
        List<OrderFlow> flows = new ArrayList<>();
        for (int i = 0; i < BROKERS; i++) {
            OrderFlow flow = sources.get(i % sources.size());
            flows.add(limit > 0 ? flow.limitedTo(limit) : flow);
            out.println("Broker " + (i + 1) + " replays " + flow.name() + ", "
                    + flows.get(i).commandCount() + " entries");
        }
        return flows;
    }

    /** Returns an instrument for each flow, in the form that the testnet command takes. */
    static List<String> instruments(List<OrderFlow> flows) {
        List<String> instruments = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            OrderFlow flow = flows.get(i);
            boolean isRepeated =
                    flows.subList(0, i).stream().anyMatch(f -> f.symbol().equals(flow.symbol()));
            instruments.add(String.join(
                    ":",
                    Integer.toString(i + 1),
                    flow.symbol() + (isRepeated ? "." + (i + 1) : ""),
                    Integer.toString(flow.priceDecimals()),
                    Long.toString(flow.priceMin()),
                    Long.toString(flow.priceMax()),
                    Long.toString(flow.quantityMax()),
                    // LOBSTER's partial cancels leave an order in its place.
                    "keep"));
        }
        return instruments;
    }
}
