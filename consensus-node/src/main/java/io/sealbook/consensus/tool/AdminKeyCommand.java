package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.keytool.PassphraseOptions;
import io.sealbook.keytool.SchemeConverter;
import io.sealbook.membership.ChangeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code admin new-key}: makes a key of a broker, auditor or node, and the file of its public half. */
@Command(
        name = "new-key",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a key of a broker, auditor or node in FILE, which stays with its owner, and its public half in",
            "FILE.pub, which the members get. FILE is encrypted if a passphrase is named; 'keys new' insists on one."
        })
public final class AdminKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--scheme",
            defaultValue = "sm2",
            converter = SchemeConverter.class,
            description = "sm2 or secp256k1. Default: ${DEFAULT-VALUE}.")
    private SignatureScheme scheme;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Parameters(paramLabel = "FILE", description = "New file of the private key.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        SigningKey key = SigningKey.generate(scheme);
        Path open = file.resolveSibling(file.getFileName() + ".pub");
        if (passphrases.isNamed()) {
            char[] passphrase = passphrases.sourceOfNew().passphrase(file);
            KeyFile.writeEncrypted(file, key, passphrase);
            Arrays.fill(passphrase, '\0');
        } else {
            KeyFile.write(file, key);
        }
        Files.writeString(open, PublicKeyPem.text(key.verificationKey()), StandardOpenOption.CREATE_NEW);
        spec.commandLine().getOut().println(open + ": " + ChangeText.key(PublicKeyFile.read(open)));
        return 0;
    }
}
