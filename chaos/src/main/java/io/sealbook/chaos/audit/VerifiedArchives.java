package io.sealbook.chaos.audit;

import io.sealbook.archive.tool.ArchiveTool;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Has the auditor's tool verify all archives: what nodes have repaired must pass as well. */
final class VerifiedArchives {
    /** Everything is right; or right, and the newest blocks have no certificate yet. */
    private static final Set<Integer> RIGHT = Set.of(0, 4);

    private VerifiedArchives() {}

    /**
     * Verifies each archive by itself.
     *
     * @param genesis file of the chain
     * @param archives of nodes that have ended
     * @param findings takes what the tool says of a wrong one
     */
    static void judge(Path genesis, List<Path> archives, Findings findings) {
        for (Path archive : archives) {
            StringWriter said = new StringWriter();
            PrintWriter out = new PrintWriter(said);
            int exitCode = ArchiveTool.run(out, out, "verify", archive.toString(), "--genesis", genesis.toString());
            if (!RIGHT.contains(exitCode)) {
                findings.add(
                        Rule.SAME_EVERYWHERE,
                        "block-archive verify " + archive + " ends with " + exitCode + ":\n" + said);
            }
        }
    }
}
