package io.sealbook.vocabulary;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Pure cores carry this module, so that it must be as pure as they are. */
@AnalyzeClasses(packages = "io.sealbook.vocabulary", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldDependOnValuesOfTheJdkOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.vocabulary",
                    "io.sealbook.vocabulary.result",
                    "java.lang",
                    "java.lang.invoke",
                    "java.nio",
                    "java.nio.charset",
                    "java.security",
                    "java.util");
}
