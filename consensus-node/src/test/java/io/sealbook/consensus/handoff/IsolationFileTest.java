package io.sealbook.consensus.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.facts.ForcedFiles;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.lock.WholeFile;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationFileTest {
    @TempDir
    private Path directory;

    /** A node that was away finds out by a certificate that it has fetched, and has later ones, too. */
    @Test
    void shouldNameTheCertifiedBlockBeforeWhateverWasCertifiedSince() throws Exception {
        NavigableMap<Long, CheckpointCertificate> certificates = new TreeMap<>();
        for (long block : new long[] {16, 32, 48, 64}) {
            certificates.put(block, certificate(block));
        }
        Path file = directory.resolve("isolation");
        IsolationFile isolation = new IsolationFile(
                file,
                block -> Optional.ofNullable(certificates.lowerEntry(block)).map(entry -> entry.getValue()),
                () -> {});

        isolation.isolated(new Output.Isolated(48, outcome("own"), outcome("agreed")));

        assertThat(IsolationNotice.read(file).orElseThrow().provenTo()).isEqualTo(32);
    }

    /** A loss of power leaves no notice without its lines. */
    @Test
    void shouldBeOnDiskWithItsName() throws Exception {
        Path file = directory.resolve("isolation");
        IsolationFile isolation = new IsolationFile(file, block -> Optional.empty(), () -> {});

        assertThat(ForcedFiles.below(
                        directory,
                        () -> isolation.isolated(new Output.Isolated(48, outcome("own"), outcome("agreed")))))
                .containsExactly(WholeFile.unfinished(file), directory);
    }

    /** The engine of a replica looks at the file then alone: it is right again when the isolation ends. */
    @Test
    void shouldReportTheEndOfTheIsolation() {
        Path file = directory.resolve("isolation");
        List<Boolean> present = new ArrayList<>();
        IsolationFile isolation =
                new IsolationFile(file, block -> Optional.empty(), () -> present.add(Files.exists(file)));

        isolation.isolated(new Output.Isolated(48, outcome("own"), outcome("agreed")));
        isolation.delete();

        assertThat(present).containsExactly(true, false);
    }

    private static CheckpointCertificate certificate(long block) {
        return new CheckpointCertificate(
                block,
                digest("chain"),
                digest("agreed"),
                digest("membership"),
                List.of(new CertificateSignature(0, new byte[CertificateSignature.LENGTH])));
    }

    private static Outcome outcome(String result) {
        return new Outcome(digest("chain"), digest(result));
    }

    private static Digest digest(String of) {
        return Digest.sha256(of.getBytes(StandardCharsets.UTF_8));
    }
}
