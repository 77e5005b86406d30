package io.sealbook.consensus.testnet;

import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes certificates into the directories of a cluster, all of one authority whose key is not kept. A node shares its
 * certificate with the engine of its directory.
 */
public final class TestnetCertificates {
    /** Directory of certificate and key in that of their owner. */
    static final String TLS = "tls";

    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final List<String> THIS_MACHINE = List.of("localhost", "127.0.0.1");

    private final Path directory;
    private final TestnetPlan plan;
    private final CertificateAuthority authority;

    /**
     * Makes the authority; writes nothing yet.
     *
     * @param directory of the cluster
     * @param plan names the hosts
     */
    public TestnetCertificates(Path directory, TestnetPlan plan) {
        this.directory = directory;
        this.plan = plan;
        this.authority = new CertificateAuthority(
                "Sealbook test net " + Long.toUnsignedString(plan.chainId()), VALIDITY, Clock.systemUTC());
    }

    /**
     * Writes the certificates of all nodes, brokers and followers, and those of an auditor and an operator.
     *
     * @param followers number of followers
     */
    public void write(int followers) throws IOException {
        for (int i = 0; i < plan.nodeCount(); i++) {
            issueServer("node" + i, List.of(plan.host(i)));
        }
        for (int i = 0; i < followers; i++) {
            issueServer("follower" + i, List.of("follower" + i));
        }
        for (int i = 0; i < plan.brokerSchemes().size(); i++) {
            issueClient("broker" + (i + 1));
        }
        issueClient(TestnetWriter.auditor(FollowerWriter.AUDITOR_ID));
        issueClient(TestnetWriter.OPERATOR);
    }

    private void issueServer(String name, List<String> hosts) throws IOException {
        List<String> names = new ArrayList<>(THIS_MACHINE);
        hosts.stream().filter(host -> !names.contains(host)).forEach(names::add);
        authority.issue(files(name), name, CertificateRole.SERVER, names);
    }

    private void issueClient(String name) throws IOException {
        authority.issue(files(name), name, CertificateRole.CLIENT, List.of());
    }

    private TlsSettings files(String name) {
        return TlsSettings.ofFilesIn(directory.resolve(name).resolve(TLS));
    }
}
