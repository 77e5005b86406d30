package io.sealbook.keytool;

import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keys check}: says what is wrong with a key file. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks a key file: format and encryption, mode, curve, point, that private and public half belong",
            "together, FILE.pub if it is there, and with --genesis whose key it is. One line per check. WARN is an",
            "encryption that is weaker than the one that 'keys new' writes."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:no line begins with FAIL",
            "1:a line begins with FAIL",
            "2:wrong use",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        })
final class CheckKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--genesis", paramLabel = "FILE", description = "Genesis file in which the key is looked for.")
    private Path genesis;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Parameters(paramLabel = "FILE", description = "File of a private or a public key.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        KeyCheck check = KeyCheck.of(file, passphrases.source());
        if (genesis != null) {
            check.checkOwner(GenesisFile.parse(Files.readAllBytes(genesis)).genesis());
        }
        PrintWriter out = spec.commandLine().getOut();
        List<Finding> findings = check.findings();
        findings.forEach(finding -> out.println(finding.line()));
        out.flush();
        return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.FAIL)
                ? KeyTool.WRONG
                : KeyTool.OK;
    }
}
