package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.replicalog.ReplicaLogContents;
import io.sealbook.node.replicalog.ReplicaLogDamageException;
import io.sealbook.node.restart.LostVotes;
import io.sealbook.pbft.ReplicaRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The replica log: its newest segment, and how it fits the archive. */
final class ReplicaLogPart {
    private final LostVotes lost;
    private final Report report;

    /**
     * @param lost what the other files show if the log has no record
     * @param report gets every fact and finding
     */
    ReplicaLogPart(LostVotes lost, Report report) {
        this.lost = lost;
        this.report = report;
    }

    /**
     * Reads the log.
     *
     * @param directory of the log; there may be none
     * @param archive of the same node; empty if there is none
     * @throws IOException if a file cannot be read
     */
    void inspect(Path directory, Optional<ArchiveReader> archive) throws IOException {
        List<Path> segments = files(directory);
        if (segments.isEmpty()) {
            report.fact("replica log", "none yet");
            reportLoss();
            return;
        }
        for (Path older : segments.subList(0, segments.size() - 1)) {
            report.unfinished("replica log: " + older + " is older than " + segments.getLast());
        }
        Path newest = segments.getLast();
        try {
            inspect(
                    ReplicaLogContents.of(newest.getFileName().toString(), ByteBuffer.wrap(Files.readAllBytes(newest))),
                    archive);
        } catch (ReplicaLogDamageException e) {
            report.damaged("replica log: " + newest + ": " + e.getMessage());
        }
    }

    private List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(directory)) {
            List<Path> sorted = found.sorted().toList();
            sorted.stream()
                    .filter(file ->
                            ReplicaLogContents.isUnfinished(file.getFileName().toString()))
                    .forEach(file -> report.unfinished("replica log: " + file + ": the next segment, not in use"));
            return sorted.stream()
                    .filter(file ->
                            ReplicaLogContents.isSegment(file.getFileName().toString()))
                    .toList();
        }
    }

    private void inspect(ReplicaLogContents log, Optional<ArchiveReader> archive) {
        Map<String, Long> counts = log.records().stream()
                .collect(Collectors.groupingBy(
                        record -> record.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
        int epoch = 0;
        long view = 0;
        long stable = 0;
        long isolatedAt = 0;
        for (ReplicaRecord record : log.records()) {
            view = Math.max(view, view(record));
            if (record instanceof ReplicaRecord.EpochBegan began) {
                epoch = began.epoch();
                view = 0;
                stable = began.origin().sequence();
            } else if (record instanceof ReplicaRecord.Stable at) {
                stable = Math.max(stable, at.certificate().sequence());
            } else if (record instanceof ReplicaRecord.Isolated isolated) {
                isolatedAt = isolated.checkpoint();
            } else if (record instanceof ReplicaRecord.IsolationEnded) {
                isolatedAt = 0;
            }
        }
        report.fact("replica log records", counts);
        if (log.records().isEmpty()) {
            reportLoss();
        }
        report.fact("replica log epoch", epoch);
        report.fact("replica log view", view);
        report.fact("replica log stable checkpoint", stable);
        report.fact("replica log isolated at checkpoint", isolatedAt == 0 ? "not isolated" : isolatedAt);
        if (log.tornBytes() > 0) {
            report.unfinished(
                    "replica log: " + log.tornBytes() + " bytes after the last whole record, from offset " + log.end());
        }
        compare(stable, archive);
    }

    private void reportLoss() {
        lost.fact()
                .ifPresent(fact -> report.damaged("replica log: no record, " + fact + "; the node refuses to start"));
    }

    private static long view(ReplicaRecord record) {
        return switch (record) {
            case ReplicaRecord.ViewLeft left -> left.newView();
            case ReplicaRecord.ViewEntered entered -> entered.newView().view();
            case ReplicaRecord.Accepted accepted -> accepted.prePrepare().view();
            case ReplicaRecord.Prepared prepared -> prepared.view();
            case ReplicaRecord.Stable stable -> 0;
            case ReplicaRecord.Isolated isolated -> 0;
            case ReplicaRecord.IsolationEnded ended -> 0;
            case ReplicaRecord.EpochBegan began -> 0;
        };
    }

    private void compare(long stable, Optional<ArchiveReader> archive) {
        long last = archive.map(ArchiveReader::lastSequence).orElse(0L);
        long certified = archive.flatMap(ArchiveReader::latestCertificate)
                .map(CheckpointCertificate::sequence)
                .orElse(0L);
        if (stable > last) {
            report.unfinished("the replica log has checkpoint " + stable + ", the archive ends with block " + last
                    + ": the node fetches the blocks between from its peers");
        } else if (stable > certified) {
            report.unfinished("the replica log has checkpoint " + stable + ", the archive's newest certificate is of "
                    + certified);
        } else if (stable < certified) {
            report.unfinished(
                    "the replica log has checkpoint " + stable + ", the archive has a certificate of " + certified);
        }
    }
}
