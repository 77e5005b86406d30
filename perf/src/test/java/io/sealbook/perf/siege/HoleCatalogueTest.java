package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.siege.hole.HolesCommand;
import io.sealbook.simulator.mutation.Mutant;
import io.sealbook.simulator.mutation.MutantCatalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The holes fit the sources, and each attack has one to find. */
class HoleCatalogueTest {
    private static final String RESULTS = HolesCommand.CATALOGUE + "/results.tsv";
    /**
     * What these look for is found by others first: junk is refused by Netty itself, a chain of a siege is too short
     * for streams of old receipts to hold up others whose turn they take, and half a handshake counts as an open socket
     * does.
     */
    private static final List<String> WITHOUT_HOLE = List.of("junk", "old-receipts", "half-handshake");

    /** These were mended after {@code places-without-limit} was planted last: the next table shows what they find. */
    private static final List<String> MENDED = List.of("streams", "unread-answers");

    /** Written after the table was. */
    private static final Set<String> WITHOUT_ROW = Set.of("resets-without-limit");

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

        assertThat(attacks).containsAll(named).containsAll(WITHOUT_HOLE).containsAll(MENDED);
        assertThat(named)
                .containsAll(attacks.stream()
                        .filter(attack -> !WITHOUT_HOLE.contains(attack) && !MENDED.contains(attack))
                        .toList());
    }

    @Test
    void shouldNameWhatFindsEachHole() throws Exception {
        assertThat(MutantCatalogue.read(Home.find(), HolesCommand.CATALOGUE))
                .hasSizeGreaterThan(20)
                .noneMatch(hole -> hole.tests().isEmpty());
    }

    /** What the catalogue promises is what the filed table shows. */
    @Test
    void shouldNameTheAttacksThatHaveFoundEachHole() throws Exception {
        Path home = Home.find();
        Map<String, Set<String>> found = Files.readAllLines(home.resolve(RESULTS)).stream()
                .skip(1)
                .map(line -> line.split("\t"))
                .collect(Collectors.toMap(columns -> columns[0], columns -> Set.of(columns[1].split(" "))));

        Map<String, Set<String>> named = MutantCatalogue.read(home, HolesCommand.CATALOGUE).stream()
                .filter(hole -> !WITHOUT_ROW.contains(hole.name()))
                .collect(Collectors.toMap(Mutant::name, hole -> Set.copyOf(hole.tests())));

        assertThat(named).containsExactlyInAnyOrderEntriesOf(found);
    }
}
