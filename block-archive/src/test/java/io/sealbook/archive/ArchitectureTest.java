package io.sealbook.archive;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sealbook.archive", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule CORE_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage("io.sealbook.archive")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.archive.*..",
                    "io.sealbook.protocol..",
                    "io.sealbook.crypto..",
                    "org.springframework..",
                    "picocli..",
                    "com.google..",
                    "org.agrona..")
            .because("the archive keeps blocks; it knows neither orders nor signatures");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_WHAT_AN_ORDER_IS = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sealbook.protocol.sbe..", "org.springframework..");
}
