package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionRecordsTest {
    private static final TextFile INDEX = TextFile.of("docs/decisions/README.md", """
            | [1](0001-one.md) | One | accepted |
            | [2](0002-two.md) | Two | accepted |
            """);

    @Test
    void shouldAcceptARecordThatTheIndexHas() {
        assertThat(offences("docs/decisions/0001-one.md", "Status: accepted.")).isEmpty();
    }

    @Test
    void shouldNoticeARecordWithoutStatus() {
        assertThat(offences("docs/decisions/0001-one.md", "Accepted by all."))
                .containsExactly("docs/decisions/0001-one.md: has no status");
    }

    @Test
    void shouldNoticeARecordThatTheIndexLacksOrShowsOtherwise() {
        assertThat(offences("docs/decisions/0001-uno.md", "Status: accepted."))
                .containsExactly("docs/decisions/0001-uno.md: is accepted, and no line of docs/decisions/README.md "
                        + "says so");
        assertThat(offences("docs/decisions/0001-one.md", "Status: superseded by 3."))
                .containsExactly("docs/decisions/0001-one.md: is superseded by 3, and no line of "
                        + "docs/decisions/README.md says so");
    }

    @Test
    void shouldNoticeAChangeThatTheChangedRecordDoesNotName() {
        String change = "Status: accepted. Builds on decision 3. Changes [decision\n1](0001-one.md) in part.";
        assertThat(offences(record("0001-one.md", "Status: accepted."), record("0002-two.md", change)))
                .containsExactly(
                        "docs/decisions/0001-one.md: is changed by decision 2, and its status does not say so");
        assertThat(offences(
                        record("0001-one.md", "Status: accepted. Decision [2](0002-two.md) changes it."),
                        record("0002-two.md", change)))
                .isEmpty();
    }

    @Test
    void shouldNoticeANumberThatIsMissing() {
        TextFile index = TextFile.of("docs/decisions/README.md", "| [4](0004-four.md) | Four | accepted |\n");
        TextFile notGiven = TextFile.of(
                "docs/decisions/README.md",
                String.join("\n", index.lines())
                        + "\nNumber 1 was not given. Number 2 was not given. Number 3 was not given.");
        TextFile record = record("0004-four.md", "Status: accepted.");
        assertThat(DecisionRecords.offences(List.of(index, record))).hasSize(3);
        assertThat(DecisionRecords.offences(List.of(notGiven, record))).isEmpty();
    }

    private static List<String> offences(TextFile... records) {
        List<TextFile> files = new ArrayList<>(List.of(records));
        files.add(INDEX);
        return DecisionRecords.offences(files).stream().map(Offence::toString).toList();
    }

    private static TextFile record(String name, String status) {
        return TextFile.of("docs/decisions/" + name, "# A title\n\n" + status + "\n\n## Context\n");
    }

    private static List<String> offences(String path, String status) {
        return offences(TextFile.of(path, "# 1. One\n\n" + status + "\n\n## Context\n"));
    }
}
