package io.sealbook.consensus.inspect;

import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.SessionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The evidence of brokers that signed two batches under one number, each file of which suspends a session, and of
 * members that signed two votes which exclude each other.
 */
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
        inspectSessions(files(EvidenceStore.PREFIX));
        inspectMembers(files(EvidenceStore.MEMBER_PREFIX));
    }

    private List<Path> files(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    private void inspectMembers(List<Path> files) throws IOException {
        report.fact("members that signed twice", files.size());
        for (Path file : files) {
            MemberEvidence evidence = MemberEvidence.decode(Files.readAllBytes(file));
            if (evidence == null) {
                report.damaged("evidence/" + file.getFileName() + " is damaged");
            } else {
                report.fact(
                        "member " + evidence.member(),
                        "two, " + evidence.vote().subject() + " of epoch "
                                + evidence.vote().epoch().number());
            }
        }
    }

    private void inspectSessions(List<Path> files) throws IOException {
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
