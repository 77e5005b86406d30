package io.sealbook.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.simulator.TracedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator's runs are behaviours of the model. */
class TraceValidationTest {
    private static final Pattern ACCEPTED = Pattern.compile("<<\"accepted\", (\\d+)>>");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeABehaviour(long seed) throws IOException {
        TraceModule module = new TraceModule(TracedRun.of(seed));

        assertThat(acceptedCount("seed-" + seed, module)).isEqualTo(module.eventCount());
    }

    /** A replica that votes before its log has the proposal, and one that hides what it had prepared. */
    @Test
    void shouldRefuseAnAlteredTrace() throws IOException {
        List<String> trace = TracedRun.of(8);
        String accepted = firstOf(trace, line -> line.startsWith("{\"event\":\"accepted\""));
        List<String> unsaved = new ArrayList<>(trace);
        unsaved.remove(accepted);
        List<String> hidden = new ArrayList<>(trace);
        String shown = firstOf(trace, line -> line.contains("\"view-change\"") && !line.contains("\"prepared\":[]"));
        hidden.set(trace.indexOf(shown), shown.replaceFirst("\"prepared\":\\[.*?]", "\"prepared\":[]"));

        assertRefused("unsaved", new TraceModule(unsaved));
        assertRefused("hidden", new TraceModule(hidden));
    }

    private static String firstOf(List<String> trace, Predicate<String> isWanted) {
        return trace.stream().filter(isWanted).findFirst().orElseThrow();
    }

    private static void assertRefused(String name, TraceModule module) throws IOException {
        assertThat(acceptedCount(name, module)).isBetween(1, module.eventCount() - 1);
    }

    /** Returns how many events, from the first on, are those of a behaviour. */
    private static int acceptedCount(String name, TraceModule module) throws IOException {
        String config = Files.readString(Tlc.MODULES.resolve("Trace.cfg"));
        Tlc.Result result = Tlc.check("trace-" + name, "Trace", config, Map.of("Run", module.text()), 1);
        assertThat(result.isComplete()).as(result.text()).isTrue();
        return ACCEPTED.matcher(result.text())
                .results()
                .map((MatchResult each) -> Integer.parseInt(each.group(1)))
                .max(Integer::compare)
                .orElse(0);
    }
}
