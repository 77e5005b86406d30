package io.sealbook.chaos.audit;

import com.google.protobuf.TextFormat;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.chaos.ledger.LedgerWriter;
import io.sealbook.chaos.ledger.Ledgers;
import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a run.
 *
 * @param root directory of the run
 */
public record RunDirectory(Path root) {
    private static final Pattern BROKER = Pattern.compile("broker(\\d+)");
    private static final Pattern NODE = Pattern.compile("node(\\d+)");

    /** Returns the directory of the cluster: genesis file, nodes, keys of brokers. */
    public Path cluster() {
        return root.resolve("cluster");
    }

    Path genesis() {
        return cluster().resolve("genesis.json");
    }

    /** Returns the directory of a broker's program: outbox and ledgers. */
    public Path broker(int id) {
        return root.resolve("broker" + id);
    }

    /** Returns the directories of all nodes, by their ids. */
    List<Path> nodes() throws IOException {
        return List.copyOf(numbered(cluster(), NODE).values());
    }

    /** Returns the archives of all nodes, by their ids. */
    public List<Path> archives() throws IOException {
        return nodes().stream().map(node -> node.resolve("archive")).toList();
    }

    /** Returns what all programs recorded, by broker: a list for each run of its program. */
    public Map<Integer, List<List<LedgerEntry>>> ledgers() throws IOException {
        Map<Integer, List<List<LedgerEntry>>> ledgers = new TreeMap<>();
        for (Map.Entry<Integer, Path> broker : numbered(root, BROKER).entrySet()) {
            ledgers.put(broker.getKey(), Ledgers.read(broker.getValue()));
        }
        return ledgers;
    }

    /** Stores the reports that were read at the end, by broker, for later audits. */
    public void storeReports(Map<Integer, List<ExecutionReport>> reports) throws IOException {
        for (Map.Entry<Integer, List<ExecutionReport>> broker : reports.entrySet()) {
            try (LedgerWriter file = Ledgers.createNext(reports().resolve("broker" + broker.getKey()))) {
                broker.getValue().forEach(report -> file.write(new LedgerEntry.SeenReport(0, report)));
            }
        }
    }

    /** Returns the reports that were stored, by broker. */
    public Map<Integer, List<ExecutionReport>> storedReports() throws IOException {
        Map<Integer, List<ExecutionReport>> all = new TreeMap<>();
        for (Map.Entry<Integer, Path> broker : numbered(reports(), BROKER).entrySet()) {
            List<ExecutionReport> reports = new ArrayList<>();
            Ledgers.read(broker.getValue())
                    .forEach(file -> file.forEach(entry -> {
                        if (entry instanceof LedgerEntry.SeenReport seen) {
                            reports.add(seen.report());
                        }
                    }));
            all.put(broker.getKey(), reports);
        }
        return all;
    }

    /** Stores the states of all engines at the end, by member, for later audits. */
    public void storeEngines(List<EngineState> engines) throws IOException {
        Files.write(
                engines(),
                engines.stream()
                        .map(TextFormat.printer().emittingSingleLine(true)::printToString)
                        .toList());
    }

    /**
     * Returns the states of engines that were stored, by member.
     *
     * @return none if the run ended before it could store them
     * @throws IOException if a line is no state
     */
    public List<EngineState> storedEngines() throws IOException {
        List<EngineState> states = new ArrayList<>();
        if (Files.exists(engines())) {
            for (String line : Files.readAllLines(engines())) {
                states.add(TextFormat.parse(line, EngineState.class));
            }
        }
        return states;
    }

    private Path engines() {
        return root.resolve("engines");
    }

    private Path reports() {
        return root.resolve("reports");
    }

    private static Map<Integer, Path> numbered(Path directory, Pattern name) throws IOException {
        Map<Integer, Path> found = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Matcher matcher = name.matcher(file.getFileName().toString());
                    if (matcher.matches() && Files.isDirectory(file)) {
                        found.put(Integer.parseInt(matcher.group(1)), file);
                    }
                }
            }
        }
        return found;
    }
}
