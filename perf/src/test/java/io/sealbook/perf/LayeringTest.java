package io.sealbook.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Arrows point downwards: seen from here, where nearly every module is on the class path. */
@AnalyzeClasses(packages = "io.sealbook", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    private static final String[] SHELLS = {
        "io.sealbook.consensus..",
        "io.sealbook.engine..",
        "io.sealbook.client..",
        "io.sealbook.perf..",
        "io.sealbook.simulator.."
    };

    @ArchTest
    static final ArchRule coresAndLeavesSeeNoShell = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.sealbook.vocabulary..",
                    "io.sealbook.access..",
                    "io.sealbook.tls..",
                    "io.sealbook.protocol..",
                    "io.sealbook.membership..",
                    "io.sealbook.crypto..",
                    "io.sealbook.commandline..",
                    "io.sealbook.keytool..",
                    "io.sealbook.pbft..",
                    "io.sealbook.archive..",
                    "io.sealbook.matching..",
                    "io.sealbook.gpu..",
                    "io.sealbook.nativecode..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SHELLS);

    @ArchTest
    static final ArchRule decisionsAndConnectionsDoNotSeeEachOther = noClasses()
            .that()
            .resideInAPackage("io.sealbook.node..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.peer",
                    "io.sealbook.peer.frame..",
                    "io.sealbook.peer.handshake..",
                    "io.sealbook.peer.offload..",
                    "io.sealbook.peer.record..",
                    "io.sealbook.peer.messagelog..",
                    "io.sealbook.peer.loop..",
                    "io.netty..");

    @ArchTest
    static final ArchRule connectionsDoNotSeeDecisions = noClasses()
            .that()
            .resideInAPackage("io.sealbook.peer..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sealbook.node..", "io.sealbook.archive..");

    @ArchTest
    static final ArchRule agreementDependsOnNothingOfOurs = noClasses()
            .that()
            .resideInAPackage("io.sealbook.pbft..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sealbook.protocol..",
                    "io.sealbook.crypto..",
                    "io.sealbook.archive..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..",
                    "io.sealbook.matching..");

    @ArchTest
    static final ArchRule theNodeDoesNotMatch = noClasses()
            .that()
            .resideInAnyPackage("io.sealbook.consensus..", "io.sealbook.node..", "io.sealbook.peer..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sealbook.matching..", "io.sealbook.engine..", "io.sealbook.client..");

    @ArchTest
    static final ArchRule brokersProgramsNeedNoServer = noClasses()
            .that()
            .resideInAPackage("io.sealbook.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.agrona..",
                    "net.openhft..",
                    "io.netty..",
                    "org.springframework..",
                    "io.sealbook.consensus..",
                    "io.sealbook.node..",
                    "io.sealbook.peer..",
                    "io.sealbook.engine..");
}
