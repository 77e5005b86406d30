package io.sealbook.consensus.tool;

import io.sealbook.consensus.ceremony.CeremonyCheck;
import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.consensus.ceremony.GenesisSigning;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.keytool.Finding;
import io.sealbook.keytool.PassphraseOptions;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.SignedContribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code genesis sign}: adds a member's signature of the whole genesis file. */
@Command(
        name = "sign",
        mixinStandardHelpOptions = true,
        description = {
            "Checks the genesis file against all contributions and this member's own, prints it, and adds the member's",
            "signature to genesis-signatures.json beside it. Read it with 'genesis check' before, and compare the",
            "fingerprints with those that the other members told."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:signed",
            "1:not signed: the file does not have what the members contributed",
            "2:wrong use",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        })
public final class GenesisSignCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--key", required = true, paramLabel = "FILE", description = "Identity key of the node: node.key.")
    private Path key;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Option(
            names = "--contribution",
            required = true,
            paramLabel = "FILE",
            description = "What this member contributed, from its own copy.")
    private Path own;

    @Parameters(paramLabel = "GENESIS", description = "The genesis file.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Path signaturesFile = file.resolveSibling(NodeDirectory.GENESIS_SIGNATURES);
        GenesisSignatures signatures;
        SignedContribution contribution;
        CeremonyCheck check;
        try {
            signatures = CeremonyFile.readSignatures(signaturesFile);
            contribution = CeremonyFile.readContribution(own);
            check = CeremonyCheck.of(Files.readAllBytes(file), signatures);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter err = spec.commandLine().getErr();
        if (!check.isConsistent()) {
            check.findings().stream()
                    .filter(finding -> finding.level() == Finding.Level.FAIL)
                    .forEach(finding -> err.println(finding.line()));
            err.println("not signed");
            return REFUSED;
        }
        Signer identity = KeyFile.readSigner(key, passphrases.source());
        Node node = node(check, identity);
        if (!signatures.getContributions(node.getNodeId()).equals(contribution)) {
            err.println("FAIL contribution: what " + signaturesFile + " has of node " + node.getNodeId()
                    + " is not what " + own + " has; not signed");
            return REFUSED;
        }
        GenesisText.print(check.file(), spec.commandLine().getOut());
        CeremonyFile.replace(signaturesFile, GenesisSigning.sign(check.file(), signatures, node.getNodeId(), identity));
        spec.commandLine()
                .getOut()
                .println("signed as node " + node.getNodeId() + " (" + ChangeText.oneLine(node.getName()) + "): "
                        + signaturesFile);
        return 0;
    }

    private Node node(CeremonyCheck check, Signer identity) {
        try {
            return GenesisSigning.nodeOf(check.file(), identity);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), key + ": " + e.getMessage(), e);
        }
    }
}
