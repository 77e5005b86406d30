package io.sealbook.consensus.inspect;

import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.SessionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The evidence of brokers that signed two batches under one number; each file suspends a session. */
final class EvidencePart {
    private final Path directory;
    private final Report report;

    /**
     * @param directory of the files; may be missing
     * @param report gets every fact and finding
     */
    EvidencePart(Path directory, Report report) {
        this.directory = directory;
        this.report = report;
    }

    void inspect() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().startsWith(EvidenceStore.PREFIX))
                    .sorted()
                    .toList();
        }
        report.fact("suspended sessions", files.size());
        for (Path file : files) {
            Equivocation evidence = EvidenceStore.decode(Files.readAllBytes(file));
            if (evidence == null) {
                report.damaged("evidence/" + file.getFileName() + " is damaged");
            } else {
                report.fact(
                        SessionKey.name(evidence.sessionKey()),
                        "two batches under number " + Long.toUnsignedString(evidence.number()) + ": "
                                + BatchId.of(evidence.first()) + " and " + BatchId.of(evidence.second()));
            }
        }
    }
}
