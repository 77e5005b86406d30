package io.sealbook.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The node's decisions are functions of what they are given: what would make them anything else fails the build. */
@AnalyzeClasses(packages = "io.sealbook.node", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldHoldNoThreadFileSocketOrLogger = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.util.concurrent.locks..",
                    "java.util.logging..",
                    "org.slf4j..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.util.concurrent.Executor.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.util.concurrent.Future.class);

    @ArchTest
    static final ArchRule shouldReadNoClock = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("org\\.agrona\\.concurrent\\..*Clock");

    @ArchTest
    static final ArchRule shouldDrawNoRandomNumbers = noClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class);

    @ArchTest
    static final ArchRule shouldDependOnWhatLiesBelow = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.agrona..",
                    "com.google.protobuf..",
                    "io.sealbook.node..",
                    "io.sealbook.peer.message..",
                    "io.sealbook.pbft..",
                    "io.sealbook.archive..",
                    "io.sealbook.crypto..",
                    "io.sealbook.protocol..",
                    "io.sealbook.vocabulary..");

    @ArchTest
    static final ArchRule shouldLeaveFilesToTheShell = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.sealbook.archive.storage.FileStorage");

    @ArchTest
    static final ArchRule shouldHaveNoCircles =
            slices().matching("io.sealbook.node.(*)..").should().beFreeOfCycles();
}
