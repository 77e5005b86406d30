package io.sealbook.consensus.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.keytool.Finding;
import io.sealbook.keytool.Finding.Level;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where OK ends and WARN and FAIL begin. */
class DoctorLimitsTest {
    private static final Path DISK = Path.of("disk");

    @TempDir
    private Path files;

    /** The drift of the genesis file is 5,000 ms: 500 are worth a look, 2,500 endanger proposals. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, OK",
        "500, 0, OK",
        "501, 0, WARN",
        "-501, 0, WARN",
        "700, 200, OK",
        "2500, 0, WARN",
        "2501, 0, FAIL",
        "-2501, 0, FAIL",
        "-3000, 600, WARN",
        "9000, 1, FAIL",
        "9000, 10000, OK"
    })
    void shouldJudgeAClockByWhatIsSure(long offsetMs, long errorMs, Level level) {
        NodeStatus status = NodeStatus.newBuilder().setClockMs(1).build();

        Finding finding = MemberChecks.clock(
                Node.newBuilder().setNodeId(2).build(), new MemberChecks.Answer(status, offsetMs, errorMs), 5_000);

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.fact()).contains("node 2", offsetMs + " ms");
    }

    /** The umask of most machines makes rwxr-xr-x. */
    @ParameterizedTest
    @CsvSource({
        "rwx------, OK",
        "rwxr-x---, WARN",
        "rwx--x---, WARN",
        "rwxr-xr-x, WARN",
        "rwx-----x, WARN",
        "rwxrwx---, FAIL",
        "rwx----w-, FAIL"
    })
    void shouldJudgeWhoMayReadTheDirectory(String mode, Level level) throws IOException {
        Files.setPosixFilePermissions(files, PosixFilePermissions.fromString(mode));

        assertThat(DiskChecks.run(new NodeDirectory(files)))
                .filteredOn(finding -> finding.check().equals("directory"))
                .extracting(Finding::level)
                .containsExactly(level);
    }

    @Test
    void shouldNotJudgeAClockThatIsNotTold() {
        assertThat(MemberChecks.clock(
                                Node.getDefaultInstance(),
                                new MemberChecks.Answer(NodeStatus.getDefaultInstance(), -1_700_000_000_000L, 1),
                                5_000)
                        .level())
                .isEqualTo(Level.WARN);
    }

    @ParameterizedTest
    @CsvSource({"500, 10000, FAIL", "1024, 10240, OK", "1024, 10400, WARN", "1023, 1024, FAIL", "90000, 100000, OK"})
    void shouldWantRoom(long freeMib, long totalMib, Level level) {
        assertThat(DiskChecks.room(DISK, freeMib << 20, totalMib << 20).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"49.9, WARN", "50.1, OK"})
    void shouldWantSpeed(double megabytesPerSecond, Level level) {
        assertThat(DiskChecks.speed(DISK, megabytesPerSecond).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"19.9, OK", "20.1, WARN"})
    void shouldWantQuickSyncs(double milliseconds, Level level) {
        assertThat(DiskChecks.sync(DISK, milliseconds).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"1023, FAIL", "1024, WARN", "8191, WARN", "8192, OK"})
    void shouldWantDescriptors(long limit, Level level) {
        assertThat(MachineChecks.descriptors(limit).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"511, 8192, WARN", "512, 8192, OK", "6144, 8192, OK", "6145, 8192, WARN"})
    void shouldWantMemory(long heapMib, long machineMib, Level level) {
        assertThat(MachineChecks.memory(heapMib << 20, machineMib << 20).level())
                .isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"20, FAIL", "21, OK", "25, OK"})
    void shouldWantJava21(int feature, Level level) {
        assertThat(MachineChecks.java(feature).level()).isEqualTo(level);
    }

    @Test
    void shouldNameTheDirectoryOfTemporaryFilesThatCannotBeWritten() {
        assertThat(MachineChecks.temporaryFiles(files.resolve("absent")).line())
                .startsWith("WARN temporary files: " + files.resolve("absent") + " cannot be written");
        assertThat(MachineChecks.temporaryFiles(files))
                .extracting(Finding::level)
                .isEqualTo(Level.OK);
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void shouldReadCertificates() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("authority", Duration.ofDays(365), Clock.systemUTC());
        TlsSettings tls = TlsSettings.ofFilesIn(files);
        authority.issue(tls, "node0", CertificateRole.SERVER, List.of("node0.example", "127.0.0.1"));
        Instant now = Instant.now();

        assertThat(CertificateChecks.run(tls, "node0.example", now)).allMatch(each -> each.level() == Level.OK);
        assertThat(CertificateChecks.run(tls, "127.0.0.1", now)).allMatch(each -> each.level() == Level.OK);
        Files.setPosixFilePermissions(tls.key(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(lines(tls, "node0.example", now))
                .contains("FAIL tls key mode: rw-r--r--, others may use the file; chmod 600 " + tls.key());
        Files.setPosixFilePermissions(tls.key(), PosixFilePermissions.fromString("rw-------"));
        assertThat(lines(tls, "node1.example", now))
                .anyMatch(line -> line.startsWith("FAIL certificate hosts: ")
                        && line.contains("lacks node1.example, under which the genesis file names this node"));
        assertThat(lines(tls, "node0.example", now.plus(Duration.ofDays(340))))
                .anyMatch(line -> line.startsWith("WARN certificate: CN=node0 is valid until "))
                .anyMatch(line -> line.startsWith("WARN trusted: "));
        assertThat(lines(tls, "node0.example", now.plus(Duration.ofDays(366))))
                .anyMatch(line -> line.startsWith("FAIL certificate: CN=node0 ") && line.contains("which is past"));
        assertThat(lines(tls, "node0.example", now.minus(Duration.ofDays(30))))
                .anyMatch(line -> line.startsWith("FAIL certificate: CN=node0 is valid only from "));
        Files.writeString(tls.trusted(), "no certificate");
        assertThat(lines(tls, "node0.example", now)).anyMatch(line -> line.startsWith("FAIL tls: "));
        assertThat(CertificateChecks.run(TlsSettings.OFF, "node0.example", now))
                .containsExactly(Finding.ok("tls", "off: only this machine reaches the ports"));
    }

    @Test
    void shouldWantACertificateOfAServer() throws Exception {
        TlsSettings tls = TlsSettings.ofFilesIn(files);
        new CertificateAuthority("authority", Duration.ofDays(365), Clock.systemUTC())
                .issue(tls, "broker", CertificateRole.CLIENT, List.of("node0.example"));

        assertThat(lines(tls, "node0.example", Instant.now()))
                .contains("FAIL certificate usage: it has not both serverAuth and clientAuth; let the authority issue"
                        + " one with both");
    }

    /** As TLS does, which a node's own line must not contradict. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8::9, OK",
        "2001:0db8:0::9, OK",
        "2001:db8::8, FAIL",
        "NODE0.example, OK",
        "node1.wild.example, OK",
        "Node1.Wild.example, OK",
        "wild.example, FAIL",
        "a.node1.wild.example, FAIL",
        "10.0.0.1, FAIL"
    })
    void shouldCompareHostsAsTlsDoes(String host, Level level) throws Exception {
        TlsSettings tls = TlsSettings.ofFilesIn(files);
        new CertificateAuthority("authority", Duration.ofDays(365), Clock.systemUTC())
                .issue(
                        tls,
                        "node0",
                        CertificateRole.SERVER,
                        List.of("2001:db8::9", "node0.Example", "*.wild.example", "*.0.0.1"));

        assertThat(CertificateChecks.run(tls, host, Instant.now()))
                .filteredOn(finding -> finding.check().equals("certificate hosts"))
                .extracting(Finding::level)
                .containsExactly(level);
    }

    @Test
    void shouldTakeACertificateForAllUsages() throws Exception {
        TlsSettings tls = TlsSettings.ofFilesIn(files);
        Instant now = Instant.now();
        KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X500Name name = new X500Name("CN=node0");
        X509CertificateHolder own = new JcaX509v3CertificateBuilder(
                        name,
                        BigInteger.ONE,
                        Date.from(now.minus(Duration.ofDays(1))),
                        Date.from(now.plus(Duration.ofDays(365))),
                        name,
                        keys.getPublic())
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.dNSName, "node0.example")))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
        Files.createDirectories(tls.key().getParent());
        Files.writeString(tls.key(), pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        Files.setPosixFilePermissions(tls.key(), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(tls.certificate(), pem("CERTIFICATE", own.getEncoded()));
        Files.writeString(tls.trusted(), pem("CERTIFICATE", own.getEncoded()));

        assertThat(CertificateChecks.run(tls, "node0.example", Instant.now()))
                .allMatch(each -> each.level() == Level.OK);
    }

    @Test
    void shouldNotTakeACertificateThatOthersRefuse() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("authority", Duration.ofDays(365), Clock.systemUTC());
        CertificateAuthority other = new CertificateAuthority("other", Duration.ofDays(365), Clock.systemUTC());
        TlsSettings tls = TlsSettings.ofFilesIn(files);
        TlsSettings others = TlsSettings.ofFilesIn(files.resolve("others"));
        authority.issue(tls, "node0", CertificateRole.SERVER, List.of("node0.example"));
        other.issue(others, "node1", CertificateRole.SERVER, List.of("node1.example"));
        String trusted = Files.readString(tls.trusted());
        X509Certificate own = TlsIdentity.open(tls).chain().get(0);

        Files.writeString(tls.revoked(), other.revocationList(List.of(own)));
        assertThat(lines(tls, "node0.example", Instant.now()))
                .contains("OK tls: certificate, key and trusted certificates fit together")
                .contains("WARN revoked: list of CN=other is not used: its authority is not in tls-trusted; put the"
                        + " authority there if its list matters");

        Files.writeString(tls.revoked(), authority.revocationList(List.of(own)));
        assertThat(lines(tls, "node0.example", Instant.now()))
                .anyMatch(line -> line.startsWith("FAIL tls: ") && line.contains(" is revoked"))
                .contains("OK revoked: list of CN=authority");

        Files.delete(tls.revoked());
        Files.writeString(tls.trusted(), Files.readString(others.trusted()));
        assertThat(lines(tls, "node0.example", Instant.now()))
                .anyMatch(line -> line.startsWith("FAIL tls: who trusts the same authorities does not accept"));

        Files.writeString(tls.trusted(), trusted + Files.readString(others.trusted()));
        assertThat(CertificateChecks.run(tls, "node0.example", Instant.now()))
                .allMatch(each -> each.level() == Level.OK);
    }

    private static String pem(String type, byte[] content) {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
    }

    private static List<String> lines(TlsSettings tls, String host, Instant now) {
        return CertificateChecks.run(tls, host, now).stream().map(Finding::line).toList();
    }
}
