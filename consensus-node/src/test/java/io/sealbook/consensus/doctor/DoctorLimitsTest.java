package io.sealbook.consensus.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.keytool.Finding;
import io.sealbook.keytool.Finding.Level;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    private static List<String> lines(TlsSettings tls, String host, Instant now) {
        return CertificateChecks.run(tls, host, now).stream().map(Finding::line).toList();
    }
}
