package io.sealbook.consensus.tool;

import io.sealbook.crypto.KeyFile;
import io.sealbook.keytool.PassphraseOptions;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code role}: makes the statement with which a caller proves its role at an engine's HTTP port. */
@Command(
        name = "role",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the value of the header " + RoleStatement.HEADER + " for requests to an engine's HTTP port.",
            "It proves a role together with the certificate of the connection, and is of no use with another one."
        })
public final class RoleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--role", required = true, description = "broker, auditor or member.")
    private String role;

    @Option(
            names = "--id",
            required = true,
            converter = IdConverter.class,
            description = "Id of the broker, auditor or node in the genesis file.")
    private int id;

    @Option(
            names = "--key-id",
            defaultValue = "1",
            converter = IdConverter.class,
            description = "Of a broker's key. Default: ${DEFAULT-VALUE}.")
    private int keyId;

    @Option(names = "--key", required = true, description = "Key file: broker.key, auditor.key or node.key.")
    private Path key;

    @Option(names = "--certificate", required = true, description = "Certificate of the connections, PEM.")
    private Path certificate;

    @Option(names = "--genesis", required = true, description = "The genesis file.")
    private Path genesis;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Override
    public Integer call() throws IOException, CertificateException {
        Role proven = Role.valueOf(role.toUpperCase(Locale.ROOT));
        RoleHolder holder = new RoleHolder(
                GenesisFile.parse(Files.readAllBytes(genesis)).genesis().getChainId(),
                proven,
                id,
                proven == Role.BROKER ? keyId : 0,
                KeyFile.readSigner(key, passphrases.source()));
        try (InputStream in = Files.newInputStream(certificate)) {
            X509Certificate shown =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            spec.commandLine()
                    .getOut()
                    .println(RoleStatement.make(holder, shown).toText());
        }
        return 0;
    }
}
