package io.sealbook.peer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** The packages between network and agent depend on each other in one direction. */
class PeerLayeringTest {
    private static final String OURS = "io.sealbook.peer";

    private static final SliceAssignment ONE_PER_PACKAGE = new SliceAssignment() {
        @Override
        public String getDescription() {
            return "packages";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            boolean isOurs = type.getPackageName().startsWith(OURS);
            return isOurs ? SliceIdentifier.of(type.getPackageName()) : SliceIdentifier.ignore();
        }
    };

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(OURS);

    @Test
    void shouldHaveNoCycles() {
        slices().assignedFrom(ONE_PER_PACKAGE).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldKeepTheMessageLogIgnorantOfMessages() {
        noClasses()
                .that()
                .resideInAPackage("..messagelog")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.sealbook.pbft..",
                        "io.sealbook.peer",
                        "io.sealbook.peer.frame..",
                        "io.sealbook.peer.handshake..",
                        "io.sealbook.peer.message..",
                        "io.netty..")
                .check(CLASSES);
    }

    @Test
    void shouldKeepTheHandshakeIgnorantOfTheNetwork() {
        noClasses()
                .that()
                .resideInAPackage("..handshake")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "java.net..", "java.nio.channels..")
                .check(CLASSES);
    }

    @Test
    void shouldTouchTheOrderedCoreNowhereButThroughItsValues() {
        noClasses()
                .that()
                .resideInAPackage("io.sealbook.peer..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.sealbook.pbft.Replica")
                .check(CLASSES);
    }
}
