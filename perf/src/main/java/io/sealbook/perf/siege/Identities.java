package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.sealbook.crypto.KeyFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Everyone who knocks: the holders of the cluster's keys and certificates, and those whose certificate must not open
 * anything. An authority of the siege is trusted by the cluster, so that it can issue what is expired and revoked.
 */
final class Identities {
    static final int HONEST_BROKER = 1;
    /** Attacks, and does not trade. */
    static final int ATTACKER = 3;

    private static final Duration VALIDITY = Duration.ofDays(2);

    private final Path cluster;
    private final Path own;
    private final Genesis genesis;

    private final CertificateAuthority authority;

    private Identities(Path cluster, Path own, Genesis genesis, CertificateAuthority authority) {
        this.authority = authority;
        this.cluster = cluster;
        this.own = own;
        this.genesis = genesis;
    }

    /** A certificate that must not open anything; each is a directory below the siege's. */
    enum Stranger {
        /** Of an authority that nobody trusts. */
        FOREIGN,
        EXPIRED,
        REVOKED;

        private String directory() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The authority issues what expired yesterday, and is valid itself. */
    private static final class ShiftedClock extends Clock {
        private Duration shift = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(shift);
        }
    }

    /**
     * Makes the strangers' certificates, and lets the nodes of a cluster trust their authority.
     *
     * @param cluster directory of a cluster with TLS, whose processes do not run yet
     * @param own where to write
     * @param genesis of the cluster
     */
    static Identities prepare(Path cluster, Path own, Genesis genesis) throws IOException {
        ShiftedClock clock = new ShiftedClock();
        CertificateAuthority trusted = new CertificateAuthority("siege", VALIDITY, clock);
        Identities made = new Identities(cluster, own, genesis, trusted);
        trusted.issue(made.files(Stranger.REVOKED), "revoked", CertificateRole.CLIENT, List.of());
        clock.shift = VALIDITY.multipliedBy(-2);
        trusted.issue(made.files(Stranger.EXPIRED), "expired", CertificateRole.CLIENT, List.of());
        clock.shift = Duration.ZERO;
        new CertificateAuthority("strangers", VALIDITY, clock)
                .issue(made.files(Stranger.FOREIGN), "stranger", CertificateRole.CLIENT, List.of());
        String revoked = trusted.revocationList(
                List.of(certificate(made.files(Stranger.REVOKED).certificate())));
        for (int node = 0; node < genesis.getNodesCount(); node++) {
            TlsSettings files = TlsSettings.ofFilesIn(cluster.resolve("node" + node + "/tls"));
            Files.writeString(
                    files.trusted(),
                    Files.readString(made.files(Stranger.REVOKED).trusted()),
                    StandardOpenOption.APPEND);
            Files.writeString(files.revoked(), revoked);
        }
        return made;
    }

    private TlsSettings files(Stranger stranger) {
        return TlsSettings.ofFilesIn(own.resolve(stranger.directory()));
    }

    /** Returns the directory of the certificate that a guest shows. */
    private TlsSettings files(Guest guest) {
        return TlsSettings.ofFilesIn(cluster.resolve(
                switch (guest) {
                    case NONE -> "operator/tls";
                    case OTHER_BROKER -> "broker" + ATTACKER + "/tls";
                    case BROKER -> "broker" + HONEST_BROKER + "/tls";
                    case AUDITOR -> "auditor1/tls";
                    case MEMBER -> "node0/tls";
                }));
    }

    /** Returns what somebody connects with who has a trusted certificate and no role; each number is another one. */
    ChannelCredentials channelOfNobody(int number) throws IOException {
        TlsSettings nobody = TlsSettings.ofFilesIn(own.resolve("nobody" + number));
        authority.issue(nobody, "nobody" + number, CertificateRole.CLIENT, List.of());
        // It trusts what the cluster trusts: its own authority is not that of the nodes.
        Files.copy(files(Guest.NONE).trusted(), nobody.trusted(), StandardCopyOption.REPLACE_EXISTING);
        return TlsIdentity.channelCredentials(Optional.of(TlsIdentity.open(nobody)));
    }

    /** Returns what a guest connects with over gRPC. */
    ChannelCredentials channel(Guest guest) throws IOException {
        return TlsIdentity.channelCredentials(Optional.of(TlsIdentity.open(files(guest))));
    }

    /** Returns what a guest connects with over HTTP. */
    SSLContext context(Guest guest) throws IOException {
        return TlsIdentity.open(files(guest)).context();
    }

    /** Returns what a stranger connects with. It trusts the cluster: only the other side can refuse. */
    SSLContext context(Stranger stranger) throws IOException, GeneralSecurityException {
        TlsSettings files = files(stranger);
        String key = Files.readString(files.key()).replaceAll("-----[A-Z ]+-----|\\s", "");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                stranger.name(),
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
                new char[0],
                new Certificate[] {certificate(files.certificate())});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        // One that shows its certificate whatever authorities the server names.
        X509ExtendedKeyManager shown = (X509ExtendedKeyManager) managers.getKeyManagers()[0];
        return contextOf(new KeyManager[] {new Insistent(stranger.name(), shown)});
    }

    /** Returns what a caller without a certificate connects with. */
    SSLContext withoutCertificate() throws IOException, GeneralSecurityException {
        return contextOf(new KeyManager[0]);
    }

    private SSLContext contextOf(KeyManager[] keys) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance(TlsIdentity.PROTOCOL);
        context.init(
                keys, new TrustManager[] {TlsIdentity.open(files(Guest.NONE)).trust()}, null);
        return context;
    }

    /** Returns the role that a guest proves with each call; null if none. */
    CallCredentials credentials(Guest guest) throws IOException {
        Optional<RoleHolder> holder = holder(guest);
        return holder.map(RoleCredentials::new).orElse(null);
    }

    /** Returns the header by which a guest proves its role over HTTP, if it has one. */
    Optional<String> statement(Guest guest) throws IOException {
        Optional<RoleHolder> holder = holder(guest);
        return holder.isEmpty()
                ? Optional.empty()
                : Optional.of(RoleStatement.make(
                                holder.get(), certificate(files(guest).certificate()))
                        .toText());
    }

    private Optional<RoleHolder> holder(Guest guest) throws IOException {
        return switch (guest) {
            case NONE -> Optional.empty();
            case OTHER_BROKER -> Optional.of(broker(ATTACKER));
            case BROKER -> Optional.of(broker(HONEST_BROKER));
            case AUDITOR -> Optional.of(holder(Role.AUDITOR, 1, 0, "auditor1/auditor.key"));
            case MEMBER -> Optional.of(holder(Role.MEMBER, 0, 0, "node0/node.key"));
        };
    }

    private RoleHolder broker(int id) throws IOException {
        return holder(Role.BROKER, id, 1, "broker" + id + "/broker.key");
    }

    private RoleHolder holder(Role role, int id, int keyId, String key) throws IOException {
        return new RoleHolder(genesis.getChainId(), role, id, keyId, KeyFile.readSigner(cluster.resolve(key)));
    }

    private static X509Certificate certificate(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
