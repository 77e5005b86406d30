package io.sealbook.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sealbook.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class EngineCoreArchitectureTest {
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.sealbook.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NEITHER_AGREEMENT_NOR_BROKERS_NOR_SPRING_ARE_KNOWN = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.consensus..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..",
                    "io.sealbook.client..",
                    "io.sealbook.pbft..",
                    "io.sealbook.crypto..",
                    "org.springframework..",
                    "jakarta..",
                    "java.sql..");

    @ArchTest
    static final ArchRule DECISIONS_OF_EXECUTION_KNOW_NO_NETWORK = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.sealbook.engine.reports..",
                    "io.sealbook.engine.marketdata..",
                    "io.sealbook.engine.rpc..",
                    "io.sealbook.engine.access..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "io.netty..");
}
