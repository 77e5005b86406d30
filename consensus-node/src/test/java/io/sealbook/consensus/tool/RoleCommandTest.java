package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.RoleStatement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RoleCommandTest {
    private static final String HOST = "127.0.0.1";
    private static final int FIRST_PORT = 7_000;
    private static final int PORTS_PER_NODE = 10;

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path directory;

    private TlsSettings tls;

    @BeforeEach
    void write() throws Exception {
        TestnetPlan plan = new TestnetPlan(
                4711,
                List.of(HOST),
                4,
                FIRST_PORT,
                PORTS_PER_NODE,
                HOST,
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.ECDSA_SECP256K1_SHA256),
                List.of(),
                List.of(InstrumentSpec.parse("1:TEST:2:1:200000:1000000")),
                Parameters.getDefaultInstance(),
                false,
                List.of());
        new TestnetWriter(directory, plan).write(false);
        tls = TlsSettings.ofFilesIn(directory.resolve("caller"));
        new CertificateAuthority("authority", Duration.ofDays(1), Clock.systemUTC())
                .issue(tls, "caller", CertificateRole.CLIENT, List.of());
    }

    /** Ids of the chain have 32 bits without a sign. */
    @Test
    void shouldStateEveryIdOfTheChain() {
        assertThat(role("4000000000", "4294967295")).isZero();
        RoleStatement statement = RoleStatement.ofText(out.toString());
        assertThat(Integer.toUnsignedLong(statement.id())).isEqualTo(4_000_000_000L);
        assertThat(Integer.toUnsignedLong(statement.keyId())).isEqualTo(4_294_967_295L);
    }

    @Test
    void shouldRefuseWhatIsNoId() {
        assertThat(role("4294967296", "1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(role("1", "-1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(out.toString()).contains("'4294967296' is no number from 0 to 4294967295");
    }

    private int role(String id, String keyId) {
        PrintWriter writer = new PrintWriter(out);
        return NodeTool.commandLine()
                .setOut(writer)
                .setErr(writer)
                .execute(
                        "role",
                        "--role=broker",
                        "--id=" + id,
                        "--key-id=" + keyId,
                        "--key=" + directory.resolve("broker1/broker.key"),
                        "--certificate=" + tls.certificate(),
                        "--genesis=" + directory.resolve("genesis.json"));
    }
}
