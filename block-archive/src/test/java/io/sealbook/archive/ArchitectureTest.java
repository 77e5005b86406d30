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
    static final ArchRule ORDERS_ARE_READ_BY_WHAT_IS_ABOUT_THEM = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.sealbook.archive.order", "io.sealbook.archive.position", "io.sealbook.archive.tool")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.sealbook.vocabulary.OrderView")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("io.sealbook.archive.order");

    @ArchTest
    static final ArchRule NO_SCHEMA_AND_NO_SPRING = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sealbook.protocol.sbe..", "org.springframework..");
}
