package io.sealbook.pbft;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sealbook.purity.Purity;

/** Agreement is a function of its inputs: what would make it anything else fails the build. */
@AnalyzeClasses(packages = "io.sealbook.pbft", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldHoldNoThreadFileSocketOrLogger = Purity.holdsNoThreadFileSocketOrLogger();

    @ArchTest
    static final ArchRule shouldReadNoClock = Purity.readsNoClock();

    @ArchTest
    static final ArchRule shouldDrawNoRandomNumbers = Purity.drawsNoRandomNumbers();

    @ArchTest
    static final ArchRule shouldIterateInNoHashOrder = Purity.iteratesInNoHashOrder();

    @ArchTest
    static final ArchRule shouldUseNoStreamTimeReflectionOrConcurrency = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.time..", "java.lang.reflect..", "java.util.concurrent..", "java.util.random..");

    @ArchTest
    static final ArchRule shouldDependOnNothingOfOursButTheVocabulary = noClasses()
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("java..", "io.sealbook.pbft..", "io.sealbook.vocabulary..");

    @ArchTest
    static final ArchRule shouldKeepWhatTravelsBelowWhatDecides = noClasses()
            .that()
            .resideInAPackage("io.sealbook.pbft.message")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sealbook.pbft");
}
