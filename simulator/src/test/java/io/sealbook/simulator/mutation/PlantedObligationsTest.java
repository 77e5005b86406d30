package io.sealbook.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What documents say about planted bugs. */
class PlantedObligationsTest {
    private static final int PITFALLS = 21;
    private static final Pattern NAME = Pattern.compile("`([a-z][a-z0-9]*(-[a-z0-9]+)+)`");

    @Test
    void shouldPlantABugForEachObligation() throws IOException {
        Set<String> names =
                MutantCatalogue.read(Checkout.root()).stream().map(Mutant::name).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        int rows = 0;
        for (String line : Files.readAllLines(Checkout.root().resolve("pbft/doc/obligations.md"))) {
            Matcher matcher = NAME.matcher(line.substring(line.lastIndexOf('|', line.length() - 2) + 1));
            boolean isRow = line.startsWith("| 2") || line.startsWith("| 4") || line.startsWith("| 5");
            rows += isRow ? 1 : 0;
            while (isRow && matcher.find()) {
                if (!names.contains(matcher.group(1))) {
                    missing.add(matcher.group(1));
                }
            }
        }

        assertThat(rows).isGreaterThan(15);
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldPlantABugForEachPitfall() throws IOException {
        Set<String> names =
                MutantCatalogue.read(Checkout.root()).stream().map(Mutant::name).collect(Collectors.toSet());
        String[] sections = Files.readString(Checkout.root().resolve("pbft/doc/pitfalls.md"))
                .split("(?m)^## \\d+\\. ");

        assertThat(sections).hasSize(1 + PITFALLS);
        for (int i = 1; i < sections.length; i++) {
            int from = sections[i].indexOf("*Planted bug");
            assertThat(from).as("planted bugs of pitfall %d", i).isPositive();
            assertThat(NAME.matcher(sections[i].substring(from)).results().map(match -> match.group(1)))
                    .as("planted bugs of pitfall %d", i)
                    .isNotEmpty()
                    .isSubsetOf(names);
        }
    }
}
