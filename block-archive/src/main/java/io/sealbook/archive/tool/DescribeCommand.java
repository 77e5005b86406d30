package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "describe", description = "Says what an archive holds, without reading its blocks.")
final class DescribeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader archive = argument.open()) {
            out.println("genesisDigest " + archive.genesisDigest().hex());
            out.println("blocksPerSegment " + archive.blocksPerSegment());
            out.println("segments " + archive.segmentCount());
            archive.openSegmentFiles().forEach(file -> out.println("openSegment " + file));
            archive.findings().forEach(finding -> out.println("note " + finding.fact()));
            out.println("tornBytes " + archive.tornBytes());
            out.println("firstSequence " + archive.firstSequence());
            out.println("lastSequence " + archive.lastSequence());
            archive.read(archive.lastSequence()).map(Block::wrap).ifPresent(last -> {
                out.println("lastHash " + last.hash().hex());
                out.println("lastBlockTime " + time(last.header().blockTimeNs()));
                out.println("lastAdministrationBlock " + last.lastAdministrationBlock());
            });
            out.println("certificates " + archive.certificateCount());
            archive.latestCertificate().ifPresent(certificate -> print(out, certificate));
        }
        return ArchiveTool.OK;
    }

    private static void print(PrintWriter out, CheckpointCertificate certificate) {
        out.println("certifiedSequence " + certificate.sequence());
        out.println("certifiedHash " + certificate.chainHash().hex());
        out.println("certifiedResultDigest " + certificate.resultDigest().hex());
        out.println("certificateSignatures " + certificate.signatures().size());
    }

    static Instant time(long timeNs) {
        return Instant.ofEpochSecond(0, timeNs);
    }
}
