package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker's program gets this module with nothing that asks for JVM flags or clashes with its own Netty. */
class ClassPathTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.agrona.DirectBuffer",
                "net.openhft.chronicle.queue.ChronicleQueue",
                "com.lmax.disruptor.RingBuffer",
                "io.netty.channel.Channel",
                "org.springframework.context.ApplicationContext"
            })
    void shouldNotFindServerLibraries(String className) {
        assertThatThrownBy(() -> Class.forName(className)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void shouldRunWithoutJvmFlags() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .noneMatch(flag -> flag.startsWith("--add-opens") || flag.startsWith("--add-exports"));
    }

    @Test
    void shouldUseNoTransportNoFlyweightAndNoExit() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.sealbook.client");

        ArchRuleDefinition.noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc.netty..", "io.netty..", "org.agrona..", "org.bouncycastle..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("io\\.sealbook\\.protocol\\.sbe\\..*(Encoder|Decoder)")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.security.SecureRandom.class)
                .check(classes);
    }
}
