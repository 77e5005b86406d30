package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.liar.LieFile;
import io.sealbook.node.session.EvidenceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The evidence that all nodes keep at the end: none of a member that has told no lie, and none of a broker. That there
 * is some of a liar is not certain: a correct node may have seen one of its two votes only.
 */
final class KeptEvidence {
    /** Of a member; a node that was killed may leave a file that it had not finished. */
    private static final Pattern OF_MEMBER = Pattern.compile("(?:new-)?" + EvidenceStore.MEMBER_PREFIX + "(\\d+)-\\d+");

    private static final Pattern NODE = Pattern.compile("node(\\d+)");
    /** Of the node that uses the directory. */
    private static final String LOCK = "lock";

    private KeptEvidence() {}

    /**
     * Judges the names of the files.
     *
     * @param nodes directories of all nodes, {@code nodeID} each
     * @param findings takes those that should not be
     */
    static void judge(Collection<Path> nodes, Findings findings) throws IOException {
        Set<String> liars = nodes.stream()
                .filter(node -> new LieFile(node).hasLied())
                .map(node -> NODE.matcher(node.getFileName().toString()))
                .filter(Matcher::matches)
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
        for (Path node : nodes) {
            for (String name : names(node.resolve("evidence"))) {
                Matcher member = OF_MEMBER.matcher(name);
                if (!name.equals(LOCK) && !(member.matches() && liars.contains(member.group(1)))) {
                    findings.add(Rule.SIGNED_ONCE, node.getFileName() + " keeps evidence/" + name);
                }
            }
        }
    }

    private static Set<String> names(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
