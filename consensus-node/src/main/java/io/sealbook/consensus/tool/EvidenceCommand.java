package io.sealbook.consensus.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.consensus.inspect.EvidenceCheck;
import io.sealbook.consensus.inspect.Report;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evidence}: verifies a file of a node's evidence directory, offline. */
@Command(
        name = "evidence",
        mixinStandardHelpOptions = true,
        description = {
            "Verifies that a broker signed two batches under one number of a session, or a member two votes that",
            "exclude each other.",
            "FILE is a file, or a copy of one, of a node's evidence/ directory; the node may run."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the broker or member signed both",
            "1:the file does not prove that, or cannot be read",
            "2:wrong use"
        })
public final class EvidenceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description = "evidence/equivocation-BROKER-SESSION or double-vote-MEMBER-KEY, or a copy.")
    private Path file;

    @Option(
            names = "--genesis",
            required = true,
            paramLabel = "FILE",
            description = "The chain's genesis file: it names the keys of brokers and members.")
    private Path genesis;

    @Option(
            names = "--archive",
            paramLabel = "DIR",
            description = "Archive of a node or follower: it has the keys that were added after the genesis file.")
    private Path archive;

    @Override
    public Integer call() throws IOException {
        Report report = new Report(spec.commandLine().getOut());
        GenesisFile agreed = GenesisFile.parse(Files.readAllBytes(genesis));
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            new EvidenceCheck(membership(agreed.genesis()), verifier, report).run(Files.readAllBytes(file));
        }
        return report.verdict() == Report.Verdict.WHOLE ? 0 : 1;
    }

    private Membership membership(Genesis agreed) {
        if (archive == null) {
            return Membership.of(agreed);
        }
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            return new MembershipHistory(reader, agreed).atEnd().membership();
        }
    }
}
