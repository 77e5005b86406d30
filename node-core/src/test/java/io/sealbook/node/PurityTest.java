package io.sealbook.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sealbook.purity.Purity;

/** The node's decisions are functions of what they are given: what would make them anything else fails the build. */
@AnalyzeClasses(packages = "io.sealbook.node", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    @ArchTest
    static final ArchRule shouldHoldNoThreadFileSocketOrLogger = Purity.holdsNoThreadFileSocketOrLogger();

    @ArchTest
    static final ArchRule shouldReadNoClock = Purity.readsNoClock();

    @ArchTest
    static final ArchRule shouldDrawNoRandomNumbers = Purity.drawsNoRandomNumbers();

    @ArchTest
    static final ArchRule shouldReadAndWriteNoStreams =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.io..");

    @ArchTest
    static final ArchRule shouldDependOnWhatLiesBelow = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.agrona..",
                    "com.google.protobuf..",
                    "io.sealbook.node..",
                    "io.sealbook.peer.message..",
                    "io.sealbook.pbft..",
                    "io.sealbook.archive..",
                    "io.sealbook.membership..",
                    "io.sealbook.crypto..",
                    "io.sealbook.protocol..",
                    "io.sealbook.vocabulary..");

    @ArchTest
    static final ArchRule shouldLeaveFilesToTheShell = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.sealbook.archive.storage.FileStorage");

    @ArchTest
    static final ArchRule shouldHaveNoCircles =
            slices().matching("io.sealbook.node.(*)..").should().beFreeOfCycles();
}
