package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.ProviderFinding;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.VerifierSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that can unpack nothing into its temporary directory, as on a server that mounts it noexec. */
class UnloadableLibraryTest {
    @TempDir
    Path directory;

    /** Runs in that process: prints what verification and signing found. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            SignatureProviders.Choice choice = SignatureProviders.choose(VerifierSettings.best());
            choice.findings().forEach(finding -> print("verifier", finding));
            Signers.generate(SignatureScheme.SM2_SM3);
            Signers.findings().forEach(finding -> print("signer", finding));
        }

        private static void print(String kind, ProviderFinding finding) {
            System.out.println(kind + (finding.isFault() ? " FAULT " : " ") + finding);
        }
    }

    @Test
    void shouldReportWhatFailedWhyAndWhatIsUsedInstead() throws Exception {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());

        List<String> lines = run("-Djava.io.tmpdir=" + directory.resolve("missing"));

        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("verifier FAULT jni: failed, libsealbook cannot be loaded: ")
                        .contains("NoSuchFileException", "-Djava.io.tmpdir", "noexec")
                        .endsWith("; bc is used instead"));
        assertThat(lines).anyMatch(line -> line.startsWith("verifier bc: chosen"));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("signer FAULT jni: failed, libsealbook cannot be loaded: ")
                        .endsWith("; bc is used instead"));
        assertThat(lines)
                .as("a warning in the log")
                .anyMatch(line -> line.startsWith("WARNING: signer jni: failed, libsealbook cannot be loaded: "));
    }

    private static List<String> run(String option) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}
