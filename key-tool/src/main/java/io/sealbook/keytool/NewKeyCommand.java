package io.sealbook.keytool;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Pkcs12File;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.keytool.NewKeyFiles.Protection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keys new}: makes a key, and the file of its public half. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a key in FILE, which stays with its owner, and its public half in FILE.pub, which others get.",
            "FILE is PKCS#8 in PEM, encrypted by PBES2, mode 0600; no file is ever overwritten.",
            "FILE.never-voted shows that the key has signed no vote: a node needs it beside its key at its first",
            "start, and removes it. Of another key than a node's it may be deleted."
        })
final class NewKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--scheme",
            defaultValue = "sm2",
            converter = SchemeConverter.class,
            description = "sm2 or secp256k1. Default: ${DEFAULT-VALUE}.")
    private SignatureScheme scheme;

    @Option(names = "--plain", description = "Writes FILE without encryption: its mode alone protects it.")
    private boolean isPlain;

    @Option(
            names = "--pkcs12",
            description = "Writes FILE as PKCS#12, with a certificate that nobody but the key signs.")
    private boolean isPkcs12;

    @Option(
            names = "--subject",
            paramLabel = "X.500",
            defaultValue = "CN=sealbook",
            description = "With --pkcs12: name in the certificate. Default: ${DEFAULT-VALUE}.")
    private String subject;

    @Mixin
    private ModuleOptions module = new ModuleOptions();

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Parameters(paramLabel = "FILE", description = "New file of the private key.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        if (isPlain && (isPkcs12 || passphrases.isNamed())) {
            throw new ParameterException(spec.commandLine(), "--plain excludes --pkcs12 and a passphrase");
        }
        NewKeyFiles.requireAbsent(file);
        if (module.isNamed() && (isPlain || isPkcs12 || scheme != SignatureScheme.ECDSA_SECP256K1_SHA256)) {
            throw new ParameterException(
                    spec.commandLine(), "a hardware module takes --scheme secp256k1, without --plain and --pkcs12");
        }
        VerificationKey key = module.isNamed() ? module.generate(file, passphrases.source()) : generate();
        NewKeyFiles.finish(file, key, protection(), true, spec.commandLine().getOut());
        return KeyTool.OK;
    }

    private Protection protection() {
        if (module.isNamed()) {
            return Protection.MODULE;
        }
        return isPlain ? Protection.MODE : Protection.PASSPHRASE;
    }

    private VerificationKey generate() throws IOException {
        SigningKey key = SigningKey.generate(scheme);
        write(key);
        return key.verificationKey();
    }

    private void write(SigningKey key) throws IOException {
        if (isPlain) {
            KeyFile.write(file, key);
        } else if (isPkcs12) {
            char[] passphrase = passphrases.sourceOfNew().passphrase(file);
            try {
                Pkcs12File.write(file, key, subject, passphrase, Instant.now());
            } finally {
                Arrays.fill(passphrase, '\0');
            }
        } else {
            NewKeyFiles.writeEncrypted(file, key, passphrases.sourceOfNew());
        }
    }
}
