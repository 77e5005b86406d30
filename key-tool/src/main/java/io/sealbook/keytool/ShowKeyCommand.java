package io.sealbook.keytool;

import io.sealbook.crypto.StoredKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keys show}: prints what others may know of a key. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Prints format, scheme, public point and fingerprint of a key, private or public, and no secret.",
            "The fingerprint is the SHA-256 of the public key as SubjectPublicKeyInfo in DER."
        })
final class ShowKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Parameters(paramLabel = "FILE", description = "File of a private or a public key.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        AnyKeyFile read = AnyKeyFile.read(file, passphrases.source());
        PrintWriter out = spec.commandLine().getOut();
        out.println("format: " + read.format());
        KeyText.lines(read.publicKey()).forEach(out::println);
        return KeyTool.OK;
    }

    static String format(StoredKey stored) {
        return stored.format().text() + (stored.protection().isEmpty() ? "" : ": " + stored.protection());
    }
}
