package io.sealbook.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.protocol.v1.EngineState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineComparisonTest {
    private static final History NO_REPORTS = new History(Map.of(), List.of(), Map.of());

    private final Findings findings = new Findings();

    @Test
    void shouldFindNothingInEqualEngines() {
        EngineComparison.compare(List.of(engine(7, 0), engine(7, 0), engine(7, 0)), NO_REPORTS, findings);

        assertThat(findings.violations()).isEmpty();
    }

    @Test
    void shouldFindAForeignDigest() {
        EngineComparison.compare(List.of(engine(7, 0), engine(7, 0), engine(8, 0)), NO_REPORTS, findings);

        assertThat(findings.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.SAME_EVERYWHERE);
            assertThat(violation.facts()).contains("result digest 07", "engine 2 has", "result digest 08");
        });
    }

    @Test
    void shouldFindAnotherNumberOfReports() {
        EngineComparison.compare(List.of(engine(7, 3), engine(7, 4)), NO_REPORTS, findings);

        assertThat(findings.counts()).containsEntry(Rule.SAME_EVERYWHERE, 1);
    }

    @Test
    void shouldFindReportsThatWereNotRead() {
        EngineComparison.compare(List.of(engine(7, 3), engine(7, 3)), NO_REPORTS, findings);

        assertThat(findings.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.LIVENESS);
            assertThat(violation.facts()).contains("engine 0 has 3 reports", "of which 0 were read");
        });
    }

    @Test
    void shouldFindThatTheRunEndedBeforeTheEnginesWereEqual() {
        EngineComparison.compare(List.of(), NO_REPORTS, findings);

        assertThat(findings.counts()).containsEntry(Rule.LIVENESS, 1);
    }

    private static EngineState engine(int digest, long reports) {
        return EngineState.newBuilder()
                .setLastExecuted(5)
                .setReports(reports)
                .setResultDigest(ByteString.copyFrom(new byte[] {(byte) digest}))
                .build();
    }
}
