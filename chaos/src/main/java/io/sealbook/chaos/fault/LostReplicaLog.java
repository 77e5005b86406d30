package io.sealbook.chaos.fault;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.perf.cluster.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * A node that was killed loses the record of its votes. It must refuse to start with exit code 65, also a second time
 * ({@code docs/OPERATING.md}, "What must never be deleted or restored"). Healing restores the record and starts it.
 */
final class LostReplicaLog implements InjectedFault {
    private static final int REPLICA_LOG_LOST = 65;
    private static final int ATTEMPTS = 2;
    private static final Duration END_LIMIT = Duration.ofMinutes(5);
    private static final String ASIDE = ".aside";

    private final ManagedProcess node;
    private final List<Path> lost;
    private final Findings findings;

    /**
     * @param node that is struck
     * @param lost directories, the replica log among them
     * @param findings takes a start that was not refused
     */
    LostReplicaLog(ManagedProcess node, List<Path> lost, Findings findings) {
        this.node = node;
        this.lost = lost;
        this.findings = findings;
    }

    @Override
    public String target() {
        return lost.stream().map(path -> path.getFileName().toString()).toList() + " of " + node.name();
    }

    @Override
    public void inject() throws IOException, InterruptedException {
        node.kill();
        for (Path directory : lost) {
            Files.move(directory, aside(directory));
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            node.start();
            OptionalInt exitCode = node.awaitEnd(END_LIMIT);
            node.kill();
            if (exitCode.isEmpty() || exitCode.getAsInt() != REPLICA_LOG_LOST) {
                findings.add(
                        Rule.DOCUMENTED_BEHAVIOUR,
                        node.name() + " without " + lost + ": expected exit code 65 at start " + attempt + ", "
                                + (exitCode.isEmpty() ? "it runs" : "it is " + exitCode.getAsInt()) + ":\n"
                                + node.logTail());
            }
        }
    }

    @Override
    public void heal() throws IOException {
        for (Path directory : lost) {
            if (Files.exists(directory)) {
                WorkDirectory.delete(directory);
            }
            Files.move(aside(directory), directory);
        }
        node.start();
    }

    private static Path aside(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ASIDE);
    }
}
