package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that comes again could resume its session, which skips the check of certificates. */
@Timeout(120)
class ResumptionTest {
    private static final String HOST = "127.0.0.1";
    private static final int ANSWER = 7;

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(1), Clock.systemUTC());

    @TempDir
    Path directory;

    @Test
    void shouldCheckTheCertificateOfAClientThatComesAgain() throws Exception {
        TlsSettings serverFiles = issue("node0", CertificateRole.SERVER);
        TlsSettings clientFiles = issue("broker1", CertificateRole.CLIENT);
        SSLContext client = TlsIdentity.open(clientFiles).context();
        try (SSLServerSocket server = (SSLServerSocket) TlsIdentity.open(serverFiles)
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 8, InetAddress.getByName(HOST))) {
            server.setNeedClientAuth(true);
            Thread answering = new Thread(() -> answer(server));
            answering.setDaemon(true);
            answering.start();
            assertThat(isAnswered(client, server.getLocalPort())).isTrue();
            assertThat(isAnswered(client, server.getLocalPort())).isTrue();

            Files.writeString(
                    serverFiles.revoked(),
                    authority.revocationList(List.of(TlsFiles.certificates(clientFiles.certificate())[0])));

            assertThat(isAnswered(client, server.getLocalPort())).isFalse();
        }
    }

    private TlsSettings issue(String name, CertificateRole role) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, List.of(HOST));
        return files;
    }

    /** Answers one byte of each client. */
    private static void answer(SSLServerSocket server) {
        while (!server.isClosed()) {
            try (Socket accepted = server.accept()) {
                accepted.getInputStream().read();
                accepted.getOutputStream().write(ANSWER);
                accepted.getInputStream().read();
            } catch (IOException e) {
                // Refused, or the test is over.
            }
        }
    }

    private static boolean isAnswered(SSLContext client, int port) {
        try (Socket connection = client.getSocketFactory().createSocket(HOST, port)) {
            connection.getOutputStream().write(1);
            return connection.getInputStream().read() == ANSWER;
        } catch (IOException e) {
            return false;
        }
    }
}
