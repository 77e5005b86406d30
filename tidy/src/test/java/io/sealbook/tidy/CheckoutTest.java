package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules, held against every file and every class of this checkout. */
class CheckoutTest {
    private static Checkout checkout;
    private static List<TextFile> files;
    private static Ratchet ratchet;

    @BeforeAll
    static void read() {
        checkout = Checkout.find();
        // A module's own classes are enough to know its arrows.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        files = checkout.textFiles();
        ratchet = Ratchet.of(checkout);
        assertThat(files).hasSizeGreaterThan(500);
        assertThat(checkout.modules()).contains("protocol", "pbft", "perf", "tidy");
    }

    @Test
    void shouldHaveNoLineWiderThan120Columns() {
        List<Offence> offences = files.stream()
                .flatMap(file -> LineWidth.offences(file).stream())
                .toList();

        ratchet.check(LineWidth.RULE, offences, LineWidth.REMEDY);
    }

    @Test
    void shouldReferOnlyToWhatExists() {
        References references = new References(files, checkout::exists);
        List<Offence> offences = files.stream()
                .filter(file -> !file.path().startsWith("tidy/src/test/"))
                .flatMap(file -> references.offences(file).stream())
                .toList();

        ratchet.check(References.RULE, offences, References.REMEDY);
    }

    @Test
    void shouldSayWhatTheMachineLacksWhereATestSkipsItself() {
        List<Offence> offences = files.stream()
                .filter(file -> !file.name().startsWith("SkipReasons"))
                .flatMap(file -> SkipReasons.offences(file).stream())
                .toList();

        ratchet.check(SkipReasons.RULE, offences, SkipReasons.REMEDY);
    }

    @Test
    void shouldListEachDecisionWithItsStatus() {
        ratchet.check(DecisionRecords.RULE, DecisionRecords.offences(files), DecisionRecords.REMEDY);
    }

    @Test
    void shouldDrawTheArrowsOfThePoms() {
        ratchet.check(ModuleArrows.RULE, ModuleArrows.offences(files), ModuleArrows.REMEDY);
    }

    @Test
    void shouldNameClassesThatExist() {
        ClassMentions mentions = new ClassMentions(files);
        List<Offence> offences =
                files.stream().flatMap(file -> mentions.offences(file).stream()).toList();

        ratchet.check(ClassMentions.RULE, offences, ClassMentions.REMEDY);
    }

    @Test
    void shouldNameNoFolderOfOneMachine() {
        List<Offence> offences = files.stream()
                .filter(file -> !file.path().startsWith("tidy/src/test/"))
                .flatMap(file -> MachinePaths.offences(file).stream())
                .toList();

        ratchet.check(MachinePaths.RULE, offences, MachinePaths.REMEDY);
    }

    @Test
    void shouldFormatTheSameOnEveryMachine() {
        List<Offence> offences =
                files.stream().flatMap(file -> Formats.offences(file).stream()).toList();

        ratchet.check(Formats.RULE, offences, Formats.REMEDY);
    }

    @Test
    void shouldReadNoSettingFromSystemProperties() {
        List<Offence> offences = files.stream()
                .flatMap(file -> PropertyReads.offences(file).stream())
                .toList();

        ratchet.check(PropertyReads.RULE, offences, PropertyReads.REMEDY);
    }

    @Test
    void shouldDocumentParametersOfPublicMethods() {
        List<TextFile> sources = files.stream()
                .filter(file -> file.path().contains("/src/main/java/") && file.endsWith(".java"))
                .toList();

        ratchet.check(ParameterDocs.RULE, ParameterDocs.offences(sources), ParameterDocs.REMEDY);
    }

    @Test
    void shouldUseEachClassNameOnce() {
        ratchet.check(ClassNames.RULE, ClassNames.offences(files), ClassNames.REMEDY);
    }

    @Test
    void shouldHaveErrorsOfThreeFamilies() {
        ratchet.check(ErrorFamilies.RULE, ErrorFamilies.offences(files), ErrorFamilies.REMEDY);
    }

    @Test
    void shouldHaveNoCirclesBetweenPackages() {
        List<Offence> offences = new ArrayList<>();
        for (String module : checkout.modules()) {
            Path classes = checkout.root().resolve(module).resolve("target/classes");
            boolean hasSources = checkout.exists(module + "/src/main/java");
            assertThat(!hasSources || Files.isDirectory(classes))
                    .as("%s is not built; run this test with -am", module)
                    .isTrue();
            if (hasSources) {
                JavaClasses imported = new ClassFileImporter().importPath(classes);
                offences.addAll(PackageCircles.offences(module, imported));
            }
        }

        ratchet.check(PackageCircles.RULE, offences, PackageCircles.REMEDY);
    }
}
