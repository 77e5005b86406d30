package io.sealbook.perf.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurveTest {
    private static final List<ResultRow> POINTS = List.of(
            ResultRow.of("4")
                    .with(Figure.NODES, 4)
                    .with(Figure.ORDERS_PER_SECOND, 1_200)
                    .with(Figure.MEAN_MS, 20),
            ResultRow.of("13")
                    .with(Figure.NODES, 13)
                    .with(Figure.ORDERS_PER_SECOND, 110)
                    .with(Figure.MEAN_MS, 0));

    @Test
    void shouldDrawBarsFromZeroToTheLargestValue() {
        assertThat(Curve.draw(POINTS, Figure.NODES, Figure.ORDERS_PER_SECOND))
                .isEqualTo("nodes  orders/s\n    4  " + "█".repeat(60) + " 1,200\n   13  " + "█".repeat(5) + "▌ 110\n");
        assertThat(Curve.draw(POINTS, Figure.NODES, Figure.MEAN_MS)).endsWith("\n   13   0.0\n");
    }

    @Test
    void shouldDrawSeveralCurvesToOneScale() {
        List<ResultRow> points = List.of(
                ResultRow.of("4 nodes; 1 lane").with(Figure.NODES, 4).with(Figure.MEAN_MS, 30),
                ResultRow.of("7 nodes; 1 lane").with(Figure.NODES, 7).with(Figure.MEAN_MS, 60),
                ResultRow.of("4 nodes; 2 lanes").with(Figure.NODES, 4).with(Figure.MEAN_MS, 15));

        assertThat(Curve.draw(points, Figure.NODES, Figure.MEAN_MS).lines())
                .containsExactly(
                        "nodes  mean ms",
                        "       1 lane",
                        "    4  " + "█".repeat(30) + " 30.0",
                        "    7  " + "█".repeat(60) + " 60.0",
                        "       2 lanes",
                        "    4  " + "█".repeat(15) + " 15.0");
    }

    @Test
    void shouldNameThePointThatLacksAFigure() {
        assertThatThrownBy(() -> Curve.draw(POINTS, Figure.NODES, Figure.P99_MS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the point \"4\" has no p99Ms");
    }

    @Test
    void shouldStandBelowTheTableOfItsResult() {
        Result result = new Result(
                "curves",
                "t",
                Result.MEASURED,
                null,
                null,
                "2026-01-01",
                "m",
                "j",
                "",
                "curves nodes",
                List.of(),
                POINTS);

        assertThat(ResultTable.markdown("r.json", result))
                .contains(" 1,200 |")
                .contains("\n\n```\nnodes  orders/s\n")
                .endsWith("   13   0.0\n```\n");
    }
}
