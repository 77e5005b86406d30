package io.sealbook.archive.tool;

import io.sealbook.archive.order.BlockWindow;
import java.time.Instant;
import picocli.CommandLine.Option;

/** Which blocks a command reads, by number or by time. */
final class BlockRange {
    @Option(names = "--from", paramLabel = "N", description = "First block; the archive's first if not given.")
    private Long from;

    @Option(names = "--to", paramLabel = "N", description = "Last block; the archive's last if not given.")
    private Long to;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "No block before this instant, such as 2026-11-22T09:30:00Z.")
    private Instant since;

    @Option(names = "--until", paramLabel = "TIME", description = "No block after this instant.")
    private Instant until;

    BlockWindow window() {
        return new BlockWindow(from, to, since, until);
    }
}
