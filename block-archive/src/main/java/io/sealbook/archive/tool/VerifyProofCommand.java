package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.ProposedTransaction;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.OrderFields;
import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.position.PositionVerifier;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.archive.proof.MembershipProofVerifier;
import io.sealbook.archive.proof.ProofVerdict;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.archive.proof.ProofVerifier;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "verify-proof",
        description = {
            "Judges a proof of a batch, of a result or of positions offline. With the genesis file alone certificates",
            "must be signed by the nodes of the genesis file; --membership or --archive names those of later epochs."
        })
final class VerifyProofCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "File of 'prove', or the proof of a result or of positions.")
    private Path proofFile;

    @Option(names = "--genesis", paramLabel = "FILE", required = true, description = "Genesis file of the chain.")
    private Path genesisFile;

    @Option(
            names = "--batch-out",
            paramLabel = "FILE",
            description = "Write the signed bytes of the proven batch; the file must not exist.")
    private Path batchFile;

    @Option(
            names = "--orders",
            description = "Print the orders, or the administrative transaction, of the proven batch.")
    private boolean isWithOrders;

    @Option(
            names = "--archive",
            paramLabel = "DIR",
            description = {
                "Take the nodes of later epochs from the transactions in this archive, unless --membership is given,",
                "and print the entry that caused a proven result, if the blocks up to the result's certificate lead",
                "from it to the hash that the certificate names. An archive of another chain is refused."
            })
    private Path archiveDirectory;

    @Option(
            names = "--membership",
            paramLabel = "FILE",
            description = {
                "Membership proof that 'members --out' or a node wrote. It is checked from the genesis file on, so",
                "that it may come from anybody."
            })
    private Path membershipFile;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        byte[] bytes = ToolFiles.read(proofFile);
        GenesisFile genesis = ToolFiles.genesis(genesisFile);
        KnownEpochs known;
        try (SignatureVerifier verifier = SignatureProviders.best()) {
            known = knownEpochs(genesis, verifier);
        } catch (IllegalArgumentException e) {
            out.println("verdict refused");
            out.println("fact " + e.getMessage());
            return ArchiveTool.WRONG;
        }
        if (ResultProof.isResultProof(bytes)) {
            try (SignatureVerifier verifier = SignatureProviders.best()) {
                return new ResultProofCheck(out, Optional.ofNullable(archiveDirectory))
                        .judge(bytes, new ResultProofVerifier(genesis, known, verifier));
            }
        }
        if (PositionProof.isPositionProof(bytes)) {
            try (SignatureVerifier verifier = SignatureProviders.best()) {
                return new PositionProofCheck(out)
                        .judge(
                                bytes,
                                new PositionVerifier(
                                        new ResultProofVerifier(genesis, known, verifier),
                                        new ProofVerifier(genesis, known, verifier)));
            }
        }
        InclusionProof proof;
        try {
            proof = InclusionProof.decode(bytes);
        } catch (IllegalArgumentException e) {
            out.println("verdict refused");
            out.println("fact " + e.getMessage());
            return ArchiveTool.WRONG;
        }
        try (SignatureVerifier verifier = SignatureProviders.best()) {
            ProofVerdict verdict = new ProofVerifier(genesis, known, verifier).verify(proof);
            return switch (verdict) {
                case Proven proven -> {
                    print(out, proof, proven);
                    yield ArchiveTool.OK;
                }
                case Refused refused -> {
                    out.println("verdict refused");
                    out.println("fault " + refused.fault());
                    out.println("fact " + refused.fact());
                    if (refused.fault() == ProofVerdict.Fault.EPOCH) {
                        out.println("needs --membership FILE, or --archive DIR, with later blocks");
                    }
                    yield ArchiveTool.WRONG;
                }
            };
        }
    }

    private KnownEpochs knownEpochs(GenesisFile genesis, SignatureVerifier verifier) {
        Optional<KnownEpochs> archived = archivedEpochs(genesis);
        if (membershipFile != null) {
            MembershipProof membership = MembershipProof.decode(ToolFiles.read(membershipFile));
            return new MembershipProofVerifier(genesis, verifier).verify(membership);
        }
        return archived.orElseGet(() -> KnownEpochs.of(genesis));
    }

    /** Returns what the archive says, if one is given that is asked. */
    private Optional<KnownEpochs> archivedEpochs(GenesisFile genesis) {
        if (archiveDirectory == null) {
            return Optional.empty();
        }
        try (ArchiveReader archive = ArchiveReader.open(archiveDirectory)) {
            if (!genesis.digest().equals(archive.genesisDigest())) {
                throw new IllegalArgumentException("the archive has genesis digest "
                        + archive.genesisDigest().hex() + ", the genesis file "
                        + genesis.digest().hex());
            }
            return membershipFile != null
                    ? Optional.empty()
                    : Optional.of(KnownEpochs.of(genesis, new MembershipHistory(archive, genesis.genesis()).atEnd()));
        }
    }

    private void print(PrintWriter out, InclusionProof proof, Proven proven) {
        out.println("verdict proven");
        out.println("batch " + proof.batchId().hex());
        out.println("block " + proven.sequence());
        out.println("index " + proven.batchIndex());
        out.println("blockTime " + DescribeCommand.time(proven.blockTimeNs()));
        out.println("certifiedSequence " + proven.certifiedSequence());
        out.println("signers " + proven.signers());
        out.println("quorum " + proven.quorum());
        out.println("epoch " + Integer.toUnsignedString(proven.epoch()));
        out.println("content " + (proven.isContentProven() ? "proven" : "not carried"));
        if (proven.isContentProven()) {
            out.println("signature "
                    + (proven.isSignatureProven()
                            ? "valid"
                            : "not checked: its key is not known here; needs --membership FILE, or --archive DIR,"
                                    + " with later blocks"));
        }
        if (isWithOrders && proven.isContentProven()) {
            ProposedTransaction.of(proof.signedBatch())
                    .map(ProposedTransaction::line)
                    .ifPresent(out::println);
            List<OrderFields> orders = new BlockOrders().of(proof.signedBatch());
            for (int i = 0; i < orders.size(); i++) {
                out.println(OrderText.line(i, orders.get(i)));
            }
        }
        if (batchFile != null && proven.isContentProven()) {
            ToolFiles.write(batchFile, proof.signedBatch());
            out.println("batchFile " + batchFile);
        }
    }
}
