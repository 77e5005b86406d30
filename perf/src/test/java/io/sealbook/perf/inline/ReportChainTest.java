package io.sealbook.perf.inline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ReportChainTest {
    @Test
    void shouldChainTheFieldsOfEachReport() {
        ReportChain chain = new ReportChain();
        CoreExecution core = new CoreExecution(TwoOrders.GENESIS, chain);

        core.execute(TwoOrders.crossing());

        Sha256 expected = new Sha256().update(Digest.ZERO.bytes());
        expected.update(report(ExecType.NEW, 1, 11, 0, 0, 10));
        expected.update(report(ExecType.NEW, 2, 22, 0, 0, 4));
        expected.update(report(ExecType.TRADE, 2, 22, 100, 4, 0));
        expected.update(report(ExecType.TRADE, 1, 11, 100, 4, 6));
        assertThat(chain.endBlock()).isEqualTo(Digest.of(expected.digestBytes()));
        assertThat(chain.reports()).isEqualTo(4);
        assertThat(chain.trades()).isOne();
        assertThat(chain.refused()).isZero();
    }

    @Test
    void shouldCountRefusedOrders() {
        ReportChain chain = new ReportChain();
        CoreExecution core = new CoreExecution(TwoOrders.GENESIS, chain);

        core.execute(TwoOrders.buyingAt(201));

        assertThat(chain.refused()).isOne();
        assertThat(chain.trades()).isZero();
    }

    private static byte[] report(ExecType type, int broker, long clOrdId, long lastPx, long lastQty, long leaves) {
        return ByteBuffer.allocate(37)
                .put(type.value())
                .putInt(broker)
                .putLong(clOrdId)
                .putLong(lastPx)
                .putLong(lastQty)
                .putLong(leaves)
                .array();
    }
}
