package io.sealbook.matching;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Rules decide, books keep: arrows go down only. */
@AnalyzeClasses(packages = "io.sealbook.matching", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.sealbook.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule BOOKS_KNOW_NOTHING_ABOVE_THEM = noClasses()
            .that(resideInAPackage("io.sealbook.matching.book.."))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sealbook.matching", "io.sealbook.protocol..");
}
