package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.siege.hole.HolesCommand;
import io.sealbook.simulator.mutation.MutantCatalogue;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The holes fit the sources, and each attack has one to find. */
class HoleCatalogueTest {
    /**
     * What these look for is found by others first: junk is refused by Netty itself, and a chain of a siege is too short
     * for streams of old receipts to hold up others whose turn they take.
     */
    private static final List<String> WITHOUT_HOLE = List.of("junk", "old-receipts");

    /** Whoever changes a rule mends the hole that breaks it: the message says how. */
    @Test
    void shouldFitTheSources() throws Exception {
        Path home = Home.find();

        List<String> stale = MutantCatalogue.read(home, HolesCommand.CATALOGUE).stream()
                .map(hole -> hole.staleness(home))
                .flatMap(Optional::stream)
                .toList();

        assertThat(stale).isEmpty();
    }

    @Test
    void shouldHaveAHoleForEachAttack() throws Exception {
        List<String> attacks = SiegeCommand.attacks().stream().map(Attack::name).toList();

        List<String> named = MutantCatalogue.read(Home.find(), HolesCommand.CATALOGUE).stream()
                .flatMap(hole -> hole.tests().stream())
                .distinct()
                .toList();

        assertThat(attacks).containsAll(named).containsAll(WITHOUT_HOLE);
        assertThat(named)
                .containsAll(attacks.stream()
                        .filter(attack -> !WITHOUT_HOLE.contains(attack))
                        .toList());
    }

    @Test
    void shouldNameWhatFindsEachHole() throws Exception {
        assertThat(MutantCatalogue.read(Home.find(), HolesCommand.CATALOGUE))
                .hasSizeGreaterThan(20)
                .noneMatch(hole -> hole.tests().isEmpty());
    }
}
