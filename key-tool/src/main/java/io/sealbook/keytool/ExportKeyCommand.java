package io.sealbook.keytool;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.Pkcs12File;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
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

/** {@code keys export}: writes a key in another format, or under another passphrase. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the key of FILE to another file: in another format, under another passphrase, or its public half.",
            "FILE itself stays as it is."
        })
final class ExportKeyCommand implements Callable<Integer> {
    enum Format {
        PKCS8,
        PLAIN,
        PKCS12,
        PUBLIC
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            required = true,
            description = "pkcs8: encrypted PEM; pkcs12: encrypted, with a certificate; plain: PEM that its mode alone"
                    + " protects; public: X.509 SubjectPublicKeyInfo PEM.")
    private String format;

    @Option(names = "--out", paramLabel = "FILE", description = "New file. Without it a public key is printed.")
    private Path out;

    @Option(
            names = "--subject",
            paramLabel = "X.500",
            defaultValue = "CN=sealbook",
            description = "With pkcs12: name in the certificate. Default: ${DEFAULT-VALUE}.")
    private String subject;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Option(
            names = "--new-passphrase-file",
            paramLabel = "FILE",
            description = "File whose first line is the passphrase of the new file; mode 0600 or stricter.")
    private Path newFile;

    @Option(
            names = "--new-passphrase-env",
            paramLabel = "NAME",
            description = "Environment variable that is the passphrase of the new file. Without both options the"
                    + " console asks.")
    private String newVariable;

    @Parameters(paramLabel = "FILE", description = "File of a private key; for public also of a public one.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Format chosen = format();
        if (chosen != Format.PUBLIC && out == null) {
            throw new ParameterException(spec.commandLine(), "needs --out: a private key is never printed");
        }
        if (out != null && Files.exists(out)) {
            throw new FileAlreadyExistsException(out.toString());
        }
        if (chosen == Format.PUBLIC) {
            writePublic(AnyKeyFile.read(file, passphrases.source()).publicKey());
        } else {
            writePrivate(chosen, KeyFile.read(file, passphrases.source()));
        }
        return KeyTool.OK;
    }

    private Format format() {
        for (Format each : Format.values()) {
            if (each.name().equalsIgnoreCase(format)) {
                return each;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--format " + format + " is none of [pkcs8, pkcs12, plain, public]");
    }

    private void writePublic(VerificationKey key) throws IOException {
        if (out == null) {
            spec.commandLine().getOut().print(PublicKeyPem.text(key));
            spec.commandLine().getOut().flush();
        } else {
            PublicKeyPem.write(out, key);
        }
    }

    private void writePrivate(Format chosen, SigningKey key) throws IOException {
        if (chosen == Format.PLAIN) {
            KeyFile.write(out, key);
            return;
        }
        PassphraseSource source =
                PassphraseOptions.sourceOfNew(newFile, newVariable, "--new-passphrase-file or --new-passphrase-env");
        char[] passphrase = source.passphrase(out);
        try {
            if (chosen == Format.PKCS12) {
                Pkcs12File.write(out, key, subject, passphrase, Instant.now());
            } else {
                KeyFile.writeEncrypted(out, key, passphrase);
            }
        } finally {
            Arrays.fill(passphrase, '\0');
        }
    }
}
