package io.sealbook.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PbftModelTest {
    /** The number of states is exact: a model that lost its behaviours would hold, too. */
    @Test
    void shouldHoldForOneSequenceNumber() throws IOException {
        Tlc.Result result = Tlc.check("small", "Checked", config("Small"), Map.of(), 1);

        assertThat(result.isComplete()).as(result.text()).isTrue();
        assertThat(result.distinctStates()).isEqualTo(33_587);
    }

    @Test
    @Tag("exhaustive")
    void shouldHoldForTwoSequenceNumbersAndTwoViews() throws IOException {
        Tlc.Result result = Tlc.check("exhaustive", "Checked", config("Exhaustive"), Map.of(), 2);

        assertThat(result.isComplete()).as(result.text()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Quorum = 3, Quorum = 2, CertifiedOnce",
        "Bugs = {}, Bugs = {\"hidePrepared\"}, CarriedOver",
        "Bugs = {}, Bugs = {\"forgetVotes\"}, VotedOnce",
        "Bugs = {}, Bugs = {\"forgetView\"}, CarriedOver"
    })
    void shouldFindAPlantedMistake(String right, String wrong, String violated) throws IOException {
        String config = config("Small").replace(right, wrong);

        Tlc.Result result = Tlc.check("mistake", "Checked", config, Map.of(), 1);

        assertThat(result.violated()).as(result.text()).isEqualTo(violated);
    }

    private static String config(String name) throws IOException {
        return Files.readString(Tlc.MODULES.resolve(name + ".cfg"));
    }
}
