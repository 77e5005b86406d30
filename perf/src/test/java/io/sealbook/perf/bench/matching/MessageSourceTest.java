package io.sealbook.perf.bench.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.flow.FlowCommand;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageSourceTest {
    private static final int COUNT = 1_000;

    @TempDir
    private Path noData;

    @ParameterizedTest
    @ValueSource(strings = {MessageSource.SHANGHAI, MessageSource.NASDAQ})
    void shouldRefuseARecordedDayThatIsNotThere(String name) {
        assertThatThrownBy(() -> MessageSource.named(name, COUNT, noData))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("needs recorded days")
                .hasMessageContaining("the flow " + name + " cannot run")
                .hasMessageContaining("-p flow=sample");
    }

    @ParameterizedTest
    @ValueSource(strings = {MessageSource.SAMPLE, MessageSource.BOOKS_2000})
    void shouldMakeItsOwnFlowsWithoutData(String name) throws IOException {
        assertThat(MessageSource.named(name, COUNT, noData).count()).isEqualTo(COUNT);
    }

    @Test
    void shouldTradeInTheSample() throws IOException {
        Messages sample = MessageSource.named(MessageSource.SAMPLE, COUNT, noData);

        assertThat(TradeChecksum.expected(sample)).isNotZero();
        assertThat(sample.kind).contains(FlowCommand.Kind.LIMIT, FlowCommand.Kind.CANCEL);
    }
}
