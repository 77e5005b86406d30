package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.Digest;
import org.junit.jupiter.api.Test;

class QuietChainTest {
    private static final Digest HASH = Digest.sha256(new byte[] {1});
    private static final Digest RESULT = Digest.sha256(new byte[] {2});
    private static final long BEGIN_NS = Long.MAX_VALUE - QuietChain.QUIET_NS; // A monotonic clock may overflow.

    private final NodeState state = new NodeState(Digest.ZERO);
    private final QuietChain chain = new QuietChain();

    @Test
    void shouldReportTheLastResultOncePerQuietTime() {
        block(3);
        result(3);

        assertThat(chain.look(state, BEGIN_NS)).isEmpty();
        assertThat(chain.look(state, BEGIN_NS + QuietChain.QUIET_NS - 1)).isEmpty();
        assertThat(chain.look(state, BEGIN_NS + QuietChain.QUIET_NS)).contains(new Input.Quiet(3, HASH, RESULT));
        assertThat(chain.look(state, BEGIN_NS + QuietChain.QUIET_NS + 1)).isEmpty();
        assertThat(chain.look(state, BEGIN_NS + 2 * QuietChain.QUIET_NS)).isPresent();
    }

    @Test
    void shouldNotReportAResultThatABlockHasFollowed() {
        block(3);
        result(3);
        chain.look(state, 0);
        block(4);

        assertThat(chain.look(state, QuietChain.QUIET_NS)).isEmpty();
        assertThat(chain.look(state, 3 * QuietChain.QUIET_NS))
                .as("block 4 is not executed")
                .isEmpty();
        result(4);
        assertThat(chain.look(state, 4 * QuietChain.QUIET_NS)).isEmpty();
        assertThat(chain.look(state, 5 * QuietChain.QUIET_NS)).contains(new Input.Quiet(4, HASH, RESULT));
    }

    @Test
    void shouldReportNothingOfAChainWithoutBlocks() {
        chain.look(state, 0);

        assertThat(chain.look(state, 2 * QuietChain.QUIET_NS)).isEmpty();
    }

    private void block(long sequence) {
        state.lastBlock(new NodeState.LastBlock(sequence, 0, HASH, Digest.ZERO, 0));
    }

    private void result(long sequence) {
        state.lastResult(new NodeState.LastResult(sequence, RESULT));
    }
}
