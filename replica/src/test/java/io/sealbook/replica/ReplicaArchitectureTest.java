package io.sealbook.replica;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The module wires: what decides, runs threads or speaks to others is in the modules that it wires. */
@AnalyzeClasses(packages = "io.sealbook.replica", importOptions = ImportOption.DoNotIncludeTests.class)
class ReplicaArchitectureTest {
    @ArchTest
    static final ArchRule ITS_CLASSES_RUN_NO_THREAD_AND_NO_CONNECTION = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.util.concurrent.locks..",
                    "java.net..",
                    "java.nio.channels..",
                    "io.netty..",
                    "io.grpc..",
                    "io.sealbook.pbft..",
                    "io.sealbook.matching..",
                    "io.sealbook.peer..",
                    "org.springframework..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class);
}
