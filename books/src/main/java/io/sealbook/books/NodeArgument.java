package io.sealbook.books;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which node a command reads. */
final class NodeArgument {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "The node's directory, as testnet wrote it.")
    private Path directory;

    /** @throws ParameterException if it is no directory of a node */
    Path path() {
        if (!Files.isRegularFile(directory.resolve("genesis.json"))) {
            throw new ParameterException(
                    spec.commandLine(), directory + " is no directory of a node: it has no genesis.json");
        }
        return directory;
    }
}
