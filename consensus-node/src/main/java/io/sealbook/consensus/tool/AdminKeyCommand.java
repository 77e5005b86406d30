package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.consensus.administration.TermsText;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code admin new-key}: makes a key of a broker or auditor, and the file of its public half. */
@Command(
        name = "new-key",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a key of a broker or auditor in FILE, which stays with its owner, and its public half in FILE.pub,",
            "which the members get."
        })
public final class AdminKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--scheme",
            defaultValue = "SM2_SM3",
            description = "SM2_SM3 or ECDSA_SECP256K1_SHA256. Default: ${DEFAULT-VALUE}.")
    private SignatureScheme scheme;

    @Parameters(paramLabel = "FILE", description = "New file of the private key.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        SigningKey key = SigningKey.generate(scheme);
        Path open = file.resolveSibling(file.getFileName() + ".pub");
        KeyFile.write(file, key);
        PublicKeyFile.write(open, key.verificationKey());
        spec.commandLine().getOut().println(open + ": " + TermsText.text(PublicKeyFile.read(open)));
        return 0;
    }
}
