package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "verify",
        description =
                "Reads everything and checks it: CRCs, block structure, chain, Merkle roots, batch ids, certificates.")
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(
            names = "--genesis",
            paramLabel = "FILE",
            description = "Genesis file; with it the certificates' signatures are checked too.")
    private Path genesisFile;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (ArchiveReader archive = argument.open()) {
            ArchiveVerification verification =
                    new ArchiveVerification(archive, out, spec.commandLine().getErr());
            verification.verifyBlocks();
            verification.judgeLostFiles(argument.durability());
            if (genesisFile == null) {
                verification.verifyCertificates();
                out.println("signatures not checked: no --genesis given");
            } else {
                GenesisFile genesis = ToolFiles.genesis(genesisFile);
                try (SignatureVerifier verifier = SignatureProviders.best()) {
                    verification.verifyCertificates(genesis, verifier);
                }
            }
            return verification.summary() ? ArchiveTool.OK : ArchiveTool.WRONG;
        }
    }
}
