package io.sealbook.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The fixtures of engine-core come in a jar, which is not known as tests. */
@AnalyzeClasses(
        packages = "io.sealbook.engine",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.sealbook.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SHELLS_NEVER_SEE_EACH_OTHER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.consensus..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..",
                    "io.sealbook.client..",
                    "io.sealbook.pbft..",
                    "io.sealbook.crypto..");

    @ArchTest
    static final ArchRule SUBJECTS_DO_NOT_KNOW_THE_WIRING = noClasses()
            .that()
            .resideInAPackage("io.sealbook.engine.(*)..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sealbook.engine");
}
