package io.sealbook.perf.siege.hole;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.simulator.mutation.Mutant;
import io.sealbook.simulator.mutation.MutantCatalogue;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoleHuntTest {
    @Test
    void shouldPlantHolesTogetherOfWhichEachHasItsOwnFileAndAttacks() throws Exception {
        List<Mutant> holes = MutantCatalogue.read(Home.find(), HolesCommand.CATALOGUE);

        List<List<Mutant>> groups = HoleHunt.groups(holes);

        assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(holes);
        assertThat(groups).allSatisfy(group -> {
            assertThat(group).extracting(Mutant::file).doesNotHaveDuplicates();
            assertThat(group).flatExtracting(Mutant::tests).doesNotHaveDuplicates();
        });
        assertThat(groups).hasSizeLessThan(holes.size() / 2);
    }
}
