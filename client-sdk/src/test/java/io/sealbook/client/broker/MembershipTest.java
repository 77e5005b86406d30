package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.membership.MembershipWatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.vocabulary.BatchPosition;
import java.text.MessageFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A client follows the configuration of the chain while it runs. */
class MembershipTest extends ClusterTest {
    private static Order on(int instrument) {
        return Order.limit(11, 1, instrument, Side.BUY, 100, 1);
    }

    private static Genesis.Builder withSecondInstrument(Genesis.Builder terms) {
        return terms.addInstruments(terms.getInstruments(0).toBuilder().setInstrumentId(2));
    }

    private static UnaryOperator<Genesis.Builder> broker(BrokerStatus status) {
        return terms -> {
            terms.getBrokersBuilder(0).setStatus(status);
            return terms;
        };
    }

    private static void assertRefused(BrokerClient client, Order order, RejectReason reason) {
        assertThatThrownBy(() -> client.submit(order))
                .isInstanceOfSatisfying(
                        InvalidOrderException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    private void change(BrokerClient client, UnaryOperator<Genesis.Builder> change) throws Exception {
        Genesis before = client.terms();
        cluster.change(change);
        Facts.await("other terms", () -> client.terms() != before);
    }

    @Test
    void shouldTradeAnInstrumentThatIsAddedLater() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            assertRefused(client, on(2), RejectReason.UNKNOWN_INSTRUMENT);

            change(client, MembershipTest::withSecondInstrument);

            await(client.submit(on(2)));
            assertThat(cluster.executed()).containsExactly(11L);
        }
    }

    @Test
    void shouldOnlyCancelWhileItsBrokerIsSuspended() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            change(client, broker(BrokerStatus.BROKER_SUSPENDED));
            assertRefused(client, on(1), RejectReason.BROKER_SUSPENDED);
            await(client.submit(Order.cancel(12, 11, 1, 1, Side.BUY)));

            change(client, broker(BrokerStatus.BROKER_ACTIVE));
            await(client.submit(on(1)));
        }
    }

    @Test
    void shouldOnlyCancelInAHaltedInstrument() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            change(client, terms -> {
                terms.getInstrumentsBuilder(0).setStatus(InstrumentStatus.INSTRUMENT_HALTED);
                return terms;
            });

            assertRefused(client, on(1), RejectReason.INSTRUMENT_HALTED);
            await(client.submit(Order.cancel(12, 11, 1, 1, Side.BUY)));
        }
    }

    @Test
    void shouldSignNothingAfterItsKeyWasRevoked() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            change(client, terms -> {
                terms.getBrokersBuilder(0).getKeysBuilder(0).setUntilBlock(7);
                return terms;
            });

            assertRefused(client, on(1), RejectReason.KEY_NOT_IN_EFFECT);
        }
    }

    @Test
    void shouldNotBelieveOneNode() throws Exception {
        cluster.claimChange(2, 5, broker(BrokerStatus.BROKER_REMOVED));
        cluster.claimChange(3, 5, broker(BrokerStatus.BROKER_SUSPENDED));
        try (BrokerClient client = cluster.client().connect()) {
            Facts.await("both asked", () -> cluster.membershipsAsked(2) > 1 && cluster.membershipsAsked(3) > 1);

            await(client.submit(on(1)));
        }
    }

    /** No chain drops a broker; if nodes report it all the same, the program goes on with what it knows. */
    @Test
    void shouldReportThatTermsWithoutItsBrokerAreNotTaken() throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        Logger logger = Logger.getLogger(MembershipWatch.class.getName());
        Handler recording = new Recording(lines);
        logger.addHandler(recording);
        try (BrokerClient client = cluster.client().connect()) {
            Genesis before = client.terms();

            cluster.change(Genesis.Builder::clearBrokers);

            Facts.await("a line", () -> !lines.isEmpty());
            assertThat(lines)
                    .containsExactly("the terms after transaction 1 are not taken, orders are judged by the ones"
                            + " before: broker " + TestCluster.BROKER_ID + " is no broker of the chain");
            assertThat(client.terms()).isSameAs(before);
        } finally {
            logger.removeHandler(recording);
        }
    }

    private static final class Recording extends Handler {
        private final Queue<String> lines;

        Recording(Queue<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    @Test
    void shouldConnectWithAKeyThatTheGenesisFileHasNot() throws Exception {
        var rotated = Signers.generate(SignatureScheme.SM2_SM3);
        assertThatThrownBy(() -> cluster.client().keyId(2).signer(rotated).connect())
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("key 2 of broker " + TestCluster.BROKER_ID + " is no key of the chain");

        cluster.change(terms -> {
            terms.getBrokersBuilder(0).addKeysBuilder().setKeyId(2).setKey(TestCluster.key(rotated));
            return terms;
        });

        try (BrokerClient client =
                cluster.client().keyId(2).signer(rotated).session(3).connect()) {
            assertThat(client.firstPosition())
                    .as("counted from the first session of the key")
                    .returns(TestCluster.SESSIONS_PER_KEY + 3, BatchPosition::session);
            await(client.submit(on(1)));
        }
        var another = Signers.generate(SignatureScheme.SM2_SM3);
        assertThatThrownBy(() -> cluster.client().keyId(2).signer(another).connect())
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("the signer's key is not key 2");
    }
}
