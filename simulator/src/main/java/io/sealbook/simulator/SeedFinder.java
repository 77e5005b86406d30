package io.sealbook.simulator;

import io.sealbook.simulator.mutation.Finder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Runs seeds until one fails, the argument is their number: first small scenarios, then those with fair order and the
 * experiments about primaries and private versions, then those of all families.
 */
public final class SeedFinder implements Finder {
    private static final long SMALL_SEEDS_MAX = 40;
    private static final long FAIR_SEEDS_MAX = 20;

    @Override
    public Optional<String> find(List<String> arguments) {
        long count = Long.parseLong(arguments.getFirst());
        for (long i = 0; i < count; i++) {
            boolean isSmall = i < SMALL_SEEDS_MAX;
            long after = i - SMALL_SEEDS_MAX;
            boolean isFair = !isSmall && after < FAIR_SEEDS_MAX;
            ScenarioKind kind = isSmall ? ScenarioKind.SMALL : isFair ? ScenarioKind.FAIR : ScenarioKind.MIXED;
            long seed = isSmall ? i : isFair ? after : after - FAIR_SEEDS_MAX;
            System.out.println("seed " + seed);
            try {
                if (isFair && seed == 0) {
                    FrontRunning.check(seed);
                    PrimaryPace.check(seed);
                    PrivateVersions.check(seed);
                }
                new Simulation(kind.of(seed), null).run();
            } catch (SimulationFailure e) {
                String name = kind.name().toLowerCase(Locale.ROOT);
                return Optional.of("--scenario " + name + " --seed " + seed + ": " + e.fact());
            }
        }
        return Optional.empty();
    }
}
