package io.sealbook.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The jar holds nothing under a name that an application's own libraries use. */
class BundleJarIT {
    private static final Path JAR = Path.of(System.getProperty("bundle.jar"));
    /** The name of a class outside of io.sealbook.shaded as a constant of another class, or in a signature there. */
    private static final Pattern FOREIGN = Pattern.compile(
            "(?:\\x01..\\[*L?|[;()<>:\\[+*-]L)((?:io/grpc|io/perfmark|com/google|org/bouncycastle|io/netty)/\\w[\\w/$]*)",
            Pattern.DOTALL);

    private static JarFile jar;

    @BeforeAll
    static void open() throws IOException {
        jar = new JarFile(JAR.toFile());
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
    }

    @Test
    void shouldHoldClassesOfSealbookOnly() {
        assertThat(names())
                .filteredOn(name -> name.endsWith(".class"))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("io/sealbook/"));
    }

    @Test
    void shouldNameNoClassOutsideOfTheJar() throws IOException {
        List<String> found = new ArrayList<>();
        for (String name : names()) {
            if (name.endsWith(".class")) {
                // Constants are in modified UTF-8; names of classes are ASCII.
                FOREIGN.matcher(text(name, StandardCharsets.ISO_8859_1))
                        .results()
                        .forEach(match -> found.add(name + " names " + match.group(1)));
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void shouldHoldOneVersionOfEachEntryAndNoSignature() {
        assertThat(names()).doesNotHaveDuplicates();
        assertThat(names()).noneMatch(name -> name.startsWith("META-INF/versions/"));
        assertThat(names()).noneMatch(name -> name.matches("META-INF/.*\\.(SF|RSA|DSA)"));
        assertThat(names()).noneMatch(name -> name.endsWith("module-info.class"));
    }

    @Test
    void shouldHoldTheProvidersThatItsServicesName() throws IOException {
        List<String> services = names().stream()
                .filter(name -> name.matches("META-INF/services/.+"))
                .toList();

        assertThat(services)
                .contains(
                        "META-INF/services/io.sealbook.shaded.io.grpc.ManagedChannelProvider",
                        "META-INF/services/io.sealbook.shaded.io.grpc.NameResolverProvider",
                        "META-INF/services/io.sealbook.shaded.io.grpc.LoadBalancerProvider",
                        "META-INF/services/io.sealbook.crypto.SignatureProvider",
                        "META-INF/services/io.sealbook.crypto.SignerProvider");
        for (String service : services) {
            text(service, StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .forEach(provider -> assertThat(jar.getEntry(provider.replace('.', '/') + ".class"))
                            .as(service + ": " + provider)
                            .isNotNull());
        }
    }

    /** The licences demand it. */
    @Test
    void shouldNameEachLibraryInItsNoticeAndKeepTheirLicences() throws IOException {
        String notice = text("META-INF/NOTICE", StandardCharsets.UTF_8);

        assertThat(libraries())
                .isNotEmpty()
                .allMatch(library -> Pattern.compile("^  " + library + " ", Pattern.MULTILINE)
                        .matcher(notice)
                        .find());
        for (String text : List.of(
                "licenses/Apache-2.0.txt",
                "licenses/animal-sniffer-MIT.txt",
                "licenses/bouncy-castle-MIT.txt",
                "licenses/jsr305-BSD-3-Clause.txt",
                "licenses/netty-NOTICE.txt",
                "licenses/protobuf-BSD-3-Clause.txt",
                "license/LICENSE.boringssl.txt",
                "license/LICENSE.tomcat-native.txt")) {
            assertThat(jar.getEntry("META-INF/" + text)).as(text).isNotNull();
        }
    }

    @Test
    void shouldNameItsModuleAndNeedNoLibrary() throws IOException {
        assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                .isEqualTo("io.sealbook.client.bundle");
        assertThat(jar.getManifest().getMainAttributes().getValue("Multi-Release"))
                .isNull();
        assertThat(Files.readString(JAR.resolveSibling("published-pom.xml")))
                .doesNotContain("<artifactId>client-sdk</artifactId>")
                .doesNotContain("io.grpc</groupId>")
                .doesNotContain("<scope>runtime</scope>")
                .doesNotContain("<scope>compile</scope>");
    }

    /** Returns the names of the libraries without ours, as in the class path from which the jar was made. */
    private static List<String> libraries() throws IOException {
        return Stream.of(Files.readString(Path.of(System.getProperty("bundle.libraries")))
                        .trim()
                        .split(File.pathSeparator))
                .filter(path -> !path.replace(File.separatorChar, '/').matches(".*/io/sealbook/.*|.*/target/.*"))
                .map(path -> Path.of(path).getFileName().toString().replaceFirst("-[0-9].*", ""))
                .toList();
    }

    private static List<String> names() {
        return jar.stream()
                .filter(entry -> !entry.isDirectory())
                .map(ZipEntry::getName)
                .toList();
    }

    private static String text(String name, Charset charset) throws IOException {
        try (var in = jar.getInputStream(jar.getEntry(name))) {
            return new String(in.readAllBytes(), charset);
        }
    }
}
