package io.sealbook.consensus;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom: shells do not see each other, and the node decides no trades. */
class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sealbook.consensus");

    @Test
    void shouldSeeOnlyItsLeaves() {
        classes()
                .that()
                .resideInAPackage("io.sealbook.consensus..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("io.sealbook..")
                .orShould()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.sealbook.consensus..",
                        "io.sealbook.node..",
                        "io.sealbook.peer..",
                        "io.sealbook.protocol..",
                        "io.sealbook.crypto..",
                        "io.sealbook.commandline..",
                        "io.sealbook.keytool..",
                        "io.sealbook.membership..",
                        "io.sealbook.pbft..",
                        "io.sealbook.archive..",
                        "io.sealbook.handoff..",
                        "io.sealbook.lock..",
                        "io.sealbook.access..",
                        "io.sealbook.tls..",
                        "io.sealbook.vocabulary..",
                        "java..",
                        "javax..",
                        "ch.qos.logback..",
                        "com.google..",
                        "com.sun.management..",
                        "com.lmax..",
                        "io.grpc..",
                        "io.micrometer..",
                        "io.netty..",
                        "net.openhft..",
                        "org.agrona..",
                        "org.slf4j..",
                        "picocli..")
                .check(CLASSES);
    }

    /** Everything else logs by SLF4J. */
    @Test
    void shouldKnowTheLogOnlyWhereItsLevelsAreSet() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sealbook.consensus.admin..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ch.qos.logback..")
                .check(CLASSES);
    }

    @Test
    void shouldKeepTheHotPathFreeOfTheOutside() {
        noClasses()
                .that()
                .resideInAnyPackage("io.sealbook.consensus.ingress..", "io.sealbook.consensus.agent..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.sealbook.consensus.gateway..",
                        "io.sealbook.consensus.admin..",
                        "io.sealbook.consensus.tool..",
                        "io.sealbook.consensus.testnet..",
                        "io.grpc..")
                .check(CLASSES);
    }

    @Test
    void shouldLeaveOnlyToolsToThePrompt() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.sealbook.consensus.tool..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(CLASSES);
    }
}
