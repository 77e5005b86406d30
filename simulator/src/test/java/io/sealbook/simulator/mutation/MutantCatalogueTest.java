package io.sealbook.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantCatalogueTest {
    private static final int MUTANTS_MIN = 120;
    private static final double SHARE_OF_SIMULATOR_MIN = 0.8;
    /** Modules whose code is no part of a simulation. */
    private static final List<String> UNSIMULATED = List.of("peer-link/", "client-sdk/");

    private static final String ENTRY = """
            [half] a/Half.java
            Returns a third.
            - x / 2
            + x / 3
            """;

    @TempDir
    private Path repository;

    /** Whoever changes a rule mends the mutant that breaks it: the message says how. */
    @Test
    void shouldFitTheSources() {
        Path checkout = Checkout.root();

        List<String> stale = MutantCatalogue.read(checkout).stream()
                .map(mutant -> mutant.staleness(checkout))
                .flatMap(Optional::stream)
                .toList();

        assertThat(stale).isEmpty();
    }

    @Test
    void shouldBeLargeAndMostlyTheSimulators() {
        List<Mutant> mutants = MutantCatalogue.read(Checkout.root()).stream()
                .filter(MutantCatalogueTest::isSimulated)
                .toList();

        assertThat(mutants).hasSizeGreaterThanOrEqualTo(MUTANTS_MIN);
        assertThat(mutants.stream().filter(Mutant::isFoundBySimulator).count())
                .isGreaterThanOrEqualTo((long) Math.ceil(SHARE_OF_SIMULATOR_MIN * mutants.size()));
    }

    private static boolean isSimulated(Mutant mutant) {
        return UNSIMULATED.stream().noneMatch(mutant.file()::startsWith);
    }

    @Test
    void shouldNameTestsForWhatTheSimulatorDoesNotRun() {
        assertThat(MutantCatalogue.read(Checkout.root()))
                .filteredOn(mutant -> !isSimulated(mutant))
                .hasSizeGreaterThan(10)
                .noneMatch(Mutant::isFoundBySimulator);
    }

    @Test
    void shouldReadAnEntry() {
        String text = ENTRY + "\n# a remark\n\n[no] b/No.java\nSays yes.\ntests t.NoTest t.YesTest\n- return\n- no;\n";

        List<Mutant> mutants = MutantCatalogue.parse("f", text.lines().toList());

        assertThat(mutants)
                .containsExactly(
                        new Mutant("half", "a/Half.java", "Returns a third.", "x / 2", "x / 3", List.of(), "f:1"),
                        new Mutant(
                                "no",
                                "b/No.java",
                                "Says yes.",
                                "return\nno;",
                                "",
                                List.of("t.NoTest", "t.YesTest"),
                                "f:8"));
    }

    @Test
    void shouldPlantTheMistakeHoweverLinesAreBroken() throws Exception {
        Mutant mutant = mutantIn("class Half { int of(int x) { return x\n        /\n   2; } }");

        assertThat(mutant.applyTo(repository)).isEqualTo("class Half { int of(int x) { return x / 3; } }");
    }

    @Test
    void shouldCallAMutantStaleUnlessItsSnippetOccursOnce() throws Exception {
        assertThat(mutantIn("return x / 4;").staleness(repository))
                .hasValueSatisfying(fact -> assertThat(fact)
                        .contains("f:1", "mutant half is stale", "occurs 0 times in a/Half.java", "delete the entry"));
        assertThat(mutantIn("return x / 2 + x / 2;").staleness(repository))
                .hasValueSatisfying(fact -> assertThat(fact).contains("occurs 2 times"));
    }

    @Test
    void shouldCallAMutantStaleWhoseFileIsGone() {
        assertThat(MutantCatalogue.parse("f", ENTRY.lines().toList()).getFirst().staleness(repository))
                .hasValueSatisfying(fact -> assertThat(fact).contains("no file a/Half.java"));
    }

    @Test
    void shouldRefuseAnEntryWithoutSnippetOrIntent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MutantCatalogue.parse("f", List.of("[x] a/X.java", "Wrong.")))
                .withMessageContaining("no line that begins with '-'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MutantCatalogue.parse("f", List.of("[x] a/X.java", "- a", "+ b")))
                .withMessageContaining("says nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MutantCatalogue.parse("f", List.of("x a/X.java")))
                .withMessageContaining("expected [name]");
    }

    private Mutant mutantIn(String source) throws Exception {
        Files.createDirectories(repository.resolve("a"));
        Files.writeString(repository.resolve("a/Half.java"), source);
        return MutantCatalogue.parse("f", ENTRY.lines().toList()).getFirst();
    }
}
