package io.sealbook.perf.siege;

import com.google.gson.GsonBuilder;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.cluster.WorkOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Attacks a cluster with TLS, and reports what it found. */
@Command(
        name = "siege",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Starts a cluster with TLS and honest brokers on 127.0.0.1, and attacks it.",
            "Exit code 0: everything held; 1: something was found."
        })
public final class SiegeCommand implements Callable<Integer> {
    @Mixin
    private WorkOptions work;

    @Option(names = "--attacks", split = ",", description = "Only these, by name. Default: all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Print the attacks, and make none.")
    private boolean isList;

    @Option(names = "--json", description = "File to write the findings to.")
    private Path json;

    @Spec
    private CommandSpec spec;

    /** A line of the report. */
    private record Line(String attack, String attempt, boolean isHeld, String fact) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<Attack> attacks = chosen();
        if (isList) {
            attacks.forEach(attack -> out.println(attack.name() + ": " + attack.attempt()));
            return 0;
        }
        Path directory = work.directory("siege");
        WorkDirectory.empty(directory);
        out.println("Starting a cluster with TLS in " + directory);
        out.flush();
        List<Line> lines = new ArrayList<>();
        try (Besieged besieged = Besieged.start(work.home(), directory)) {
            for (Attack attack : attacks) {
                add(lines, attack, besieged, out);
            }
            Attack last = new Attack(
                    "honest-brokers",
                    "their orders during the siege; found: one is lost, refused or executed twice, or results differ",
                    served -> served.load().settle());
            add(lines, last, besieged, out);
        }
        if (json != null) {
            Files.writeString(
                    json, new GsonBuilder().setPrettyPrinting().create().toJson(lines) + "\n");
        }
        long found = lines.stream().filter(line -> !line.isHeld()).count();
        out.println(lines.size() + " attacks, " + found + " found");
        return found == 0 ? 0 : 1;
    }

    private List<Attack> chosen() {
        List<Attack> all = attacks();
        List<String> known = all.stream().map(Attack::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(spec.commandLine(), "no attack is named " + name + "; there are " + known);
            }
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(attack -> names.contains(attack.name())).toList();
    }

    /** Returns all attacks, in the order in which they are made. */
    static List<Attack> attacks() {
        return Stream.of(
                        DoorAttacks.all(),
                        HttpAttacks.all(),
                        StrangerAttacks.all(),
                        BrokerAttacks.all(),
                        AdminAttacks.all(),
                        ReaderAttacks.all(),
                        RateAttacks.all(),
                        UnendedAttacks.all(),
                        FloodAttacks.all(),
                        ArtefactAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    private static AttackResult finding(Attack attack, Besieged besieged) throws InterruptedException {
        try {
            return attack.action().attempt(besieged);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return AttackResult.found("it ended with " + e);
        }
    }

    /** Makes an attack. What it finds is explained by the logs, whose directory may be gone when the report is read. */
    private static void add(List<Line> lines, Attack attack, Besieged besieged, PrintWriter out)
            throws IOException, InterruptedException {
        AttackResult finding = finding(attack, besieged);
        lines.add(new Line(attack.name(), attack.attempt(), finding.isHeld(), finding.fact()));
        out.println((finding.isHeld() ? "held  " : "FOUND ") + attack.name() + ": " + finding.fact());
        if (!finding.isHeld()) {
            out.println(besieged.logTails());
        }
        out.flush();
    }
}
