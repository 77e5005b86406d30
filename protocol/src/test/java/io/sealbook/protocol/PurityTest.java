package io.sealbook.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Protocol is vocabulary and bytes: nothing in it acts, and nothing of it but the flyweights needs Agrona. */
@AnalyzeClasses(packages = "io.sealbook.protocol", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldNotAct = noClasses()
            .that()
            .resideInAPackage("io.sealbook.protocol")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "java.util.concurrent..");

    @ArchTest
    static final ArchRule shouldUseAgronaInFlyweightsOnly = noClasses()
            .that()
            .resideOutsideOfPackage("io.sealbook.protocol.sbe")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.agrona..");

    @ArchTest
    static final ArchRule shouldDependOnNothingOfOurs = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.crypto..",
                    "io.sealbook.pbft..",
                    "io.sealbook.archive..",
                    "io.sealbook.matching..",
                    "io.sealbook.consensus..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..",
                    "io.sealbook.engine..",
                    "io.sealbook.client..");
}
