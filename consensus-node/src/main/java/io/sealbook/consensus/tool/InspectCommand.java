package io.sealbook.consensus.tool;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.inspect.NodeInspection;
import io.sealbook.consensus.inspect.Report;
import io.sealbook.consensus.inspect.RunningNodeException;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code inspect}: looks into the files of a stopped node. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = {
            "Reads all files of a stopped node, changes none, and prints one fact per line.",
            "Lines that begin with 'unfinished:' name what a killed process has left; a start of the node repairs it.",
            "Lines that begin with 'damaged:' name what does not read, or contradicts another file."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:everything reads and fits together",
            "1:something is damaged, or a file cannot be read",
            "2:wrong use, or a node runs in the directory",
            "3:something is unfinished, nothing is damaged"
        })
public final class InspectCommand implements Callable<Integer> {
    private static final int WRONG_USE = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The node's directory; no node may be running in it.")
    private Path directory;

    @Option(
            names = "--around",
            paramLabel = "N",
            description = {
                "Prints the results in queue/results from the last certified block before N, or block 1, at most",
                "logWindow blocks before N, to block N+4: each with the hash of its block and the certified result",
                "digest. Members compare them after 'no result of sequence N can be certified'."
            })
    private Long around;

    @Override
    public Integer call() throws IOException {
        if (around != null && around < 1) {
            throw new ParameterException(spec.commandLine(), "--around " + around + ", blocks count from 1");
        }
        Report report = new Report(spec.commandLine().getOut());
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            new NodeInspection(new NodeDirectory(directory), verifier, Optional.ofNullable(around), report).run();
        } catch (RunningNodeException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return WRONG_USE;
        }
        return switch (report.verdict()) {
            case WHOLE -> 0;
            case DAMAGED -> 1;
            case UNFINISHED -> 3;
        };
    }
}
