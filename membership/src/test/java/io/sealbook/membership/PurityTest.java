package io.sealbook.membership;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Every member and every verifier must reach the same membership: nothing but the chain decides it. */
@AnalyzeClasses(packages = "io.sealbook.membership", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldDependOnTheChainAlone = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.time..",
                    "java.util.concurrent..",
                    "io.sealbook.archive..",
                    "io.sealbook.pbft..",
                    "io.sealbook.matching..",
                    "io.sealbook.node..",
                    "io.sealbook.consensus..",
                    "io.sealbook.engine..");
}
