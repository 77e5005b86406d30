package io.sealbook.skips;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SkipTableTest {
    private static final Skip NO_COMPILER = new Skip("gpu-native", "JniVerifierTest", "needs gcc: no library");
    private static final Skip NO_DAYS = new Skip("matching-core", "OracleTest", "needs recorded days: none at X");
    private static final Skip NO_REASON = new Skip("perf", "SomeTest", "skipped: just so");

    @Test
    void shouldPrintARowPerClassAndReason() {
        SkipTable table = new SkipTable(List.of(NO_DAYS, NO_COMPILER, NO_DAYS), need -> need == Need.GCC);

        assertThat(printed(table)).isEqualTo("""
                        Skipped in this build:
                        module         skipped          tests  this machine has it  reason
                        gpu-native     JniVerifierTest  1      yes                  needs gcc: no library
                        matching-core  OracleTest       2      no                   needs recorded days: none at X
                        """);
    }

    @Test
    void shouldSayThatNothingWasSkipped() {
        assertThat(printed(new SkipTable(List.of(), need -> true))).isEqualTo("This build skipped nothing.\n");
    }

    @Test
    void shouldAcceptWhatTheMachineLacks() {
        assertThat(new SkipTable(List.of(NO_COMPILER, NO_DAYS), need -> false).faults())
                .isEmpty();
    }

    @Test
    void shouldRefuseWhatTheMachineCouldServe() {
        List<String> faults = new SkipTable(List.of(NO_COMPILER, NO_DAYS), need -> need == Need.GCC).faults();

        assertThat(faults)
                .containsExactly("gpu-native: JniVerifierTest was skipped (needs gcc: no library)"
                        + " although this machine has a C compiler named gcc on PATH");
    }

    @Test
    void shouldRefuseAReasonThatNamesNoNeed() {
        assertThat(new SkipTable(List.of(NO_REASON), need -> false).faults())
                .singleElement()
                .asString()
                .startsWith("perf: SomeTest was skipped")
                .contains("names no need");
    }

    @Test
    void shouldAcceptASkipAsLongAsOneOfItsNeedsIsMissing() {
        Skip both = new Skip("gpu-native", "StandInDriverTest", "needs gcc, needs g++");

        assertThat(Need.namedIn(both.reason())).containsExactly(Need.GCC, Need.GXX);
        assertThat(new SkipTable(List.of(both), need -> need == Need.GCC).faults())
                .isEmpty();
        assertThat(new SkipTable(List.of(both), need -> true).faults()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Need.class)
    void shouldFindEachNeedByItsKeyAlone(Need need) {
        assertThat(Need.namedIn("needs " + need.key() + ": more words")).containsExactly(need);
        assertThat(Need.namedIn("Disabled ==> needs " + need.key())).containsExactly(need);
    }

    private static String printed(SkipTable table) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
