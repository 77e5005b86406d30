package io.sealbook.perf.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.flow.FlowCommand.Kind;
import io.sealbook.perf.flow.FlowStep.ExpectedTrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowFilesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTurnAShanghaiDayIntoContinuousFlowWithItsTrades() throws IOException {
        Path file = Files.writeString(directory.resolve("day.csv"), """
                N,9150000,600000,1,1,1000,300
                N,9150001,600000,2,-1,1000,100
                N,9150002,600000,3,-1,1005,200
                C,9160000,600000,3,200
                U,9250000,600000,1000,100
                T,9250000,600000,1,2,1000,100,N
                N,9300000,600000,4,-1,1000,50
                T,9300000,600000,1,4,1000,50,S
                S,9300000,600000,2,150,1000:150|
                C,9300100,600000,1,150
                N,14570000,600000,5,1,1000,100
                """);

        OrderFlow flow = FlowFiles.read(file);

        // What the opening call left of order 1, then the day.
        assertThat(flow.steps()).hasSize(3);
        assertThat(flow.steps().get(0).commands()).containsExactly(new FlowCommand(Kind.LIMIT, 1, 0, true, 1000, 200));
        assertThat(flow.steps().get(1).trades()).containsExactly(new ExpectedTrade(1000, 50, 1, 4));
        assertThat(flow.steps().get(1).levels().bids()).containsExactly(1000, 150);
        assertThat(flow.steps().get(1).levels().asks()).isEmpty();
        FlowCommand cancel = flow.steps().get(2).commands().get(0);
        assertThat(cancel.kind()).isEqualTo(Kind.CANCEL);
        assertThat(cancel.origClOrdId()).isEqualTo(1);
        assertThat(cancel.isBuy()).isTrue();
    }

    @Test
    void shouldTurnALobsterDayIntoFlowWithTheBookAfterEachRow() throws IOException {
        Path messages = Files.writeString(directory.resolve("ABC_2012-06-21_message_2.csv"), """
                34200.1,1,11,100,1000000,1
                34200.2,2,11,40,1000000,1
                34200.3,4,11,60,1000000,1
                34200.4,3,7,50,1000500,-1
                34200.5,5,0,10,1000200,1
                """);
        Files.writeString(directory.resolve("ABC_2012-06-21_orderbook_2.csv"), """
                1000500,50,1000000,100,1000700,10,999900,20
                1000500,50,1000000,60,1000700,10,999900,20
                1000500,50,999900,20,1000700,10,999800,5
                1000700,10,999900,20,1000900,30,999800,5
                1000700,10,999900,20,1000900,30,999800,5
                """);

        OrderFlow flow = FlowFiles.read(messages);

        assertThat(flow.symbol()).isEqualTo("ABC");
        assertThat(kinds(flow.steps().get(0))).containsExactly(Kind.LIMIT, Kind.LIMIT, Kind.LIMIT, Kind.LIMIT);
        assertThat(flow.steps().get(1).commands())
                .containsExactly(new FlowCommand(Kind.REPLACE, 5, 4, true, 10000, 60));
        // The execution, and the level 9998 that came back into the window.
        assertThat(kinds(flow.steps().get(2))).containsExactly(Kind.IMMEDIATE_OR_CANCEL, Kind.LIMIT);
        // A cancel of an order from before the file acts on the synthetic order of its level.
        assertThat(kinds(flow.steps().get(3))).containsExactly(Kind.CANCEL, Kind.LIMIT);
        assertThat(flow.steps().get(4).commands()).isEmpty();
        assertThat(flow.steps().get(4).levels().asks()).containsExactly(10007, 10, 10009, 30);
    }

    @Test
    void shouldBoundTheQuantitiesOfALobsterDay() throws IOException {
        assertThat(lobsterDay("A", 100, 200).quantityMax()).isEqualTo(1_000_000);
        assertThat(lobsterDay("B", 1_500_000, 200).quantityMax()).isEqualTo(1_500_000);
        assertThat(lobsterDay("C", 100, 2_500_000).quantityMax())
                .as("orders from before the file's start, as one")
                .isEqualTo(2_500_000);
    }

    /** A buy order enters a book in which a sell level rests. */
    private OrderFlow lobsterDay(String symbol, int bought, int resting) throws IOException {
        Path messages = Files.writeString(
                directory.resolve(symbol + "_message_1.csv"), "34200.1,1,11," + bought + ",1000000,1\n");
        Files.writeString(
                directory.resolve(symbol + "_orderbook_1.csv"), "1000500," + resting + ",1000000," + bought + "\n");
        return FlowFiles.read(messages);
    }

    @Test
    void shouldNameTheMissingOrderbookFile() throws IOException {
        Path messages = Files.writeString(directory.resolve("ABC_message_2.csv"), "34200.1,1,11,100,1000000,1\n");

        assertThatThrownBy(() -> FlowFiles.read(messages))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orderbook file beside it");
    }

    @Test
    void shouldRefuseAFileInNoKnownFormat() throws IOException {
        Path file = Files.writeString(directory.resolve("other.csv"), "a,b\n");

        assertThatThrownBy(() -> FlowFiles.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a,b");
    }

    @Test
    void shouldMakeTheSameSyntheticFlowFromTheSameSeed() {
        OrderFlow one = SyntheticFlow.generate("A", 42, 5_000);
        OrderFlow same = SyntheticFlow.generate("A", 42, 5_000);
        OrderFlow other = SyntheticFlow.generate("A", 43, 5_000);

        assertThat(commands(one)).isEqualTo(commands(same)).isNotEqualTo(commands(other));
        assertThat(one.steps().stream().mapToInt(step -> step.trades().size()).sum())
                .isPositive();
    }

    private static List<Kind> kinds(FlowStep step) {
        return step.commands().stream().map(FlowCommand::kind).toList();
    }

    private static List<List<FlowCommand>> commands(OrderFlow flow) {
        return flow.steps().stream().map(FlowStep::commands).toList();
    }
}
