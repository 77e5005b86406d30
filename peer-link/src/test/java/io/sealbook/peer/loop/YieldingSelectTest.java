package io.sealbook.peer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class YieldingSelectTest {
    private final List<String> steps = new ArrayList<>();
    private final YieldingSelect strategy = new YieldingSelect(() -> steps.add("yield"));

    /** Beside busy threads a yield takes milliseconds: a loop that yields always falls behind what arrives. */
    @Test
    void shouldNotYieldWhileSomethingIsReady() throws Exception {
        assertThat(strategy.calculateStrategy(finding(2), false)).isEqualTo(2);
        assertThat(steps).containsExactly("select");
    }

    @Test
    void shouldNotYieldWhileTasksWait() throws Exception {
        assertThat(strategy.calculateStrategy(finding(0), true)).isZero();
        assertThat(steps).containsExactly("select");
    }

    @Test
    void shouldTakeWhatCameWhileOthersRan() throws Exception {
        assertThat(strategy.calculateStrategy(finding(0, 3), false)).isEqualTo(3);
        assertThat(steps).containsExactly("select", "yield", "select");
    }

    @Test
    void shouldSleepAfterOneYield() throws Exception {
        assertThat(strategy.calculateStrategy(finding(0, 0), false)).isEqualTo(SelectStrategy.SELECT);
        assertThat(steps).containsExactly("select", "yield", "select");
    }

    /** Finds these numbers of ready channels, one after the other. */
    private IntSupplier finding(int... counts) {
        return new IntSupplier() {
            private int next;

            @Override
            public int get() {
                steps.add("select");
                return counts[next++];
            }
        };
    }
}
