package io.sealbook.perf.siege.hole;

import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.cluster.WorkOptions;
import io.sealbook.simulator.mutation.Mutant;
import io.sealbook.simulator.mutation.MutantCatalogue;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plants holes in clusters, and reports which attacks of the siege find each. */
@Command(
        name = "holes",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Plants the holes of perf/holes in clusters, and makes the attacks of the siege that must find them. Needs"
                    + " a JDK, a checkout and its built jars; about a minute per cluster and attack.",
            "Exit code 0: each hole was found by all attacks that are named for it; 1: one was not."
        })
public final class HolesCommand implements Callable<Integer> {
    /** Where the catalogue is in a checkout. */
    public static final String CATALOGUE = "perf/holes";

    @Mixin
    private WorkOptions options;

    @Option(names = "--holes", split = ",", description = "Only these, by name. Default: all.")
    private List<String> names = List.of();

    @Option(
            names = "--alone",
            description = "Plant each hole in a cluster of its own. Default: those together that are in different files"
                    + " and are looked for by different attacks.")
    private boolean isAlone;

    @Option(names = "--list", description = "Print the holes and their attacks, and plant none.")
    private boolean isList;

    @Option(names = "--results", description = "File to write the table to, with tabs.")
    private Path results;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<Mutant> holes = chosen(MutantCatalogue.read(options.home(), CATALOGUE));
        if (isList) {
            holes.forEach(
                    hole -> out.println(hole.name() + " (" + String.join(", ", hole.tests()) + "): " + hole.intent()));
            return 0;
        }
        Path directory = options.directory("holes");
        WorkDirectory.empty(directory);
        Files.createDirectories(directory);
        List<HoleVerdict> verdicts = new ArrayList<>();
        try (HoleHunt hunt = new HoleHunt(options.home().toAbsolutePath(), directory)) {
            hunt.makeArchives();
            for (List<Mutant> group : isAlone ? alone(holes) : HoleHunt.groups(holes)) {
                for (HoleVerdict verdict : hunt.find(group)) {
                    verdicts.add(verdict);
                    out.println((verdict.isFound() ? "found  " : "MISSED ") + verdict.row());
                    if (!verdict.isFound()) {
                        out.println("        missed by " + String.join(", ", verdict.missedBy()));
                    }
                }
                out.flush();
            }
        }
        if (results != null) {
            List<String> lines = new ArrayList<>(List.of(HoleVerdict.HEAD));
            verdicts.forEach(verdict -> lines.add(verdict.row()));
            Files.write(results, lines);
        }
        long missed = verdicts.stream().filter(verdict -> !verdict.isFound()).count();
        out.println(verdicts.size() + " holes, " + missed + " missed");
        return missed == 0 ? 0 : 1;
    }

    private static List<List<Mutant>> alone(List<Mutant> holes) {
        return holes.stream().map(List::of).toList();
    }

    private List<Mutant> chosen(List<Mutant> all) {
        List<String> known = all.stream().map(Mutant::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(spec.commandLine(), "no hole is named " + name + "; there are " + known);
            }
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(hole -> names.contains(hole.name())).toList();
    }
}
