package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(offences("docs/decisions/0003-three.md", "Status: accepted."))
                .hasSize(1);
        assertThat(offences("docs/decisions/0002-two.md", "Status: superseded by 3."))
                .containsExactly("docs/decisions/0002-two.md: is superseded by 3, and no line of "
                        + "docs/decisions/README.md says so");
    }

    private static List<String> offences(String path, String status) {
        TextFile record = TextFile.of(path, "# 1. One\n\n" + status + "\n\n## Context\n");
        return DecisionRecords.offences(List.of(INDEX, record)).stream()
                .map(Offence::toString)
                .toList();
    }
}
