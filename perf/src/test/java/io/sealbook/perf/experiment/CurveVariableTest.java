package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CurveVariableTest {
    @Command
    private static final class Loaded {
        @Mixin
        private LoadOptions load;
    }

    @Test
    void shouldReachTheClusterAndItsBrokers() {
        LoadOptions load = defaults();

        CurveVariable.NODES.set(load, 7);
        CurveVariable.IN_FLIGHT.set(load, 11);
        CurveVariable.BLOCK_BATCHES.set(load, 222);
        CurveVariable.BLOCK_WAIT.set(load, 333);
        CurveVariable.LINK_DELAY.set(load, 0);
        CurveVariable.BANDWIDTH.set(load, 55);

        assertThat(load.nodeCount).isEqualTo(7);
        assertThat(load.links.describe())
                .isEqualTo("a proxy carries all bytes, 0 ms between two members, 55 MB/s from each member");
        assertThat(load.inFlight).isEqualTo(11);
        assertThat(CurveVariable.PROPOSALS.set(load, 44)).containsExactly("--pipeline-window", "44");
        assertThat(CurveVariable.LANES.set(load, 3)).contains("verify-lanes=3");
        assertThat(CurveVariable.ORDERS.ordersPerBatch(9, 10)).isEqualTo(9);
        assertThat(CurveVariable.NODES.ordersPerBatch(9, 10)).isEqualTo(10);
        assertThat(load.testnetOptions()).containsExactly("--block-max-batches", "222", "--block-max-wait-ms", "333");
    }

    @Test
    void shouldNeedNoProxyUnlessLinksAreAskedFor() {
        assertThat(defaults().links.areProxied()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(CurveVariable.class)
    void shouldHaveRisingPointsAndAName(CurveVariable variable) {
        assertThat(variable.points).hasSizeGreaterThanOrEqualTo(4).isSorted().doesNotHaveDuplicates();
        assertThat(variable).asString().matches("[a-z-]+");
    }

    private static LoadOptions defaults() {
        Loaded command = new Loaded();
        new CommandLine(command).parseArgs();
        return command.load;
    }
}
