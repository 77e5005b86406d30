package io.sealbook.pbft;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;

/** Agreement is a function of its inputs: what would make it anything else fails the build. */
@AnalyzeClasses(packages = "io.sealbook.pbft", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldHoldNoThreadFileSocketRandomOrLogger = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.util.concurrent..",
                    "java.util.logging..",
                    "java.time..",
                    "java.util.random..",
                    "java.lang.reflect..",
                    "org.slf4j..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule shouldReadNoClock = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule shouldIterateInNoHashOrder = noClasses()
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(HashMap.class, HashSet.class, java.util.IdentityHashMap.class, java.util.WeakHashMap.class);

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
