package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockRepair;
import io.sealbook.archive.CertificateRepair;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
            "batches bear the signatures of their brokers. Damaged certificates are taken if a quorum of the",
            "genesis file's members signed them."
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
            CertificateVerifier certificates = new CertificateVerifier(genesis, verifier);
            CertificateRepair.run(directory, source, certificates::isCertified)
                    .ifPresent(done ->
                            out.println("repaired certificates: kept " + done.kept() + ", took " + done.taken()));
            MembershipHistory history = new MembershipHistory(source, genesis.genesis());
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

    private static List<String> faults(Block block, MembershipHistory history, BrokerSignatures signatures) {
        return BatchContent.firstMismatch(block).isPresent()
                ? List.of("a batch has not its id")
                : signatures.faults(
                        block, history.asOf(block.header().sequence()).membership());
    }
}
