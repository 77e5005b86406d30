package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockRepair;
import io.sealbook.archive.CertificateRepair;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "repair",
        description = {
            "Writes damaged blocks anew from another node's archive. The node of DIR must be stopped.",
            "A block is taken only if the blocks beside it, or a certificate, name its hash, and its",
            "batches bear the signatures of their brokers. Whole certificates of DIR are kept; those of the",
            "other archive take the places of damaged ones, and of those that are missing after the last one,",
            "if they name the hash of their block in DIR and a quorum of the nodes of their block's epoch",
            "signed them. A damaged certificates.log is kept in DIR/damaged; the bytes of damaged blocks are",
            "not kept. Keys follow from the genesis file and from the administrative transactions of the other",
            "archive, of which each bears the approvals of a quorum."
        })
final class RepairCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the damaged archive, such as node0/archive.")
    private Path directory;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            required = true,
            description = "Archive of another node, or a copy of it. It is only read.")
    private Path from;

    @Option(names = "--genesis", paramLabel = "FILE", required = true, description = "Genesis file of the chain.")
    private Path genesisFile;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader source = ArchiveReader.open(from);
                SignatureVerifier verifier = SignatureProviders.best()) {
            GenesisFile genesis = ToolFiles.genesis(genesisFile);
            MembershipHistory history = new MembershipHistory(source, genesis.genesis());
            CertificateRepair.run(directory, source, isCertified(genesis.genesis(), history, verifier))
                    .ifPresent(done ->
                            out.println("repaired certificates: kept " + done.kept() + ", took " + done.taken()));
            BrokerSignatures signatures = new BrokerSignatures(verifier);
            BlockRepair.Result result = BlockRepair.run(directory, source, block -> faults(block, history, signatures));
            result.repaired().forEach(sequence -> out.println("repaired block " + sequence));
            result.faults().forEach(fault -> out.println("fault " + fault));
            if (result.repaired().isEmpty() && result.faults().isEmpty()) {
                out.println("no block is damaged");
            }
            return result.faults().isEmpty() ? ArchiveTool.OK : ArchiveTool.WRONG;
        }
    }

    /** The transactions of the other archive are read at the first certificate that is judged. */
    private static Predicate<CheckpointCertificate> isCertified(
            Genesis genesis, MembershipHistory history, SignatureVerifier verifier) {
        CertificateVerifier certificates = new CertificateVerifier(verifier);
        AtomicReference<ChainEpochs> epochs = new AtomicReference<>();
        return certificate -> {
            if (epochs.get() == null) {
                epochs.set(ChainEpochs.of(genesis, history.atEnd().entries()));
            }
            return certificates.isCertified(certificate, epochs.get().of(certificate.sequence()));
        };
    }

    private static List<String> faults(Block block, MembershipHistory history, BrokerSignatures signatures) {
        return BatchContent.firstMismatch(block).isPresent()
                ? List.of("a batch has not its id")
                : signatures.faults(
                        block, history.asOf(block.header().sequence()).membership());
    }
}
