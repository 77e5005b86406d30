package io.sealbook.perf.inline;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code perf/evm/build.sh} makes: the contract as code of an EVM, and the program that executes it.
 *
 * @param program the engine's process
 * @param contract creation code as hex
 */
public record ContractBuild(Path program, Path contract) {
    private static final List<String> TOOLS = List.of("node", "npm", "cargo");

    /** Returns where a build puts its files, built or not. */
    public static ContractBuild of(Path home) {
        Path directory = home.resolve("perf/target/evm");
        return new ContractBuild(directory.resolve("contract-engine"), directory.resolve("OrderBook.hex"));
    }

    /** Returns what is missing and how to get it; empty if the engine can be started. */
    public Optional<String> missing() {
        if (Files.isExecutable(program) && Files.exists(contract)) {
            return Optional.empty();
        }
        List<String> absent = TOOLS.stream().filter(tool -> !isOnPath(tool)).toList();
        return Optional.of("the contract engine is not built: " + program + " or " + contract.getFileName()
                + " is missing. "
                + (absent.isEmpty()
                        ? "Run perf/evm/build.sh"
                        : "perf/evm/build.sh needs " + String.join(", ", absent) + " on PATH"));
    }

    private static boolean isOnPath(String tool) {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }
}
