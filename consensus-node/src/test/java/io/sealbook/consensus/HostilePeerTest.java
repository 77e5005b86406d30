package io.sealbook.consensus;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.peer.EpochNodes;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerHandler;
import io.sealbook.peer.PeerLimits;
import io.sealbook.peer.PeerTransport;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member with a right key that sends what nobody asked for. */
@Timeout(300)
class HostilePeerTest {
    private static final int HOSTILE = 3;
    private static final int FRAMES = 9_000;

    @ParameterizedTest
    @ValueSource(strings = {"experiment.threads=one", "stage-threads=shared"})
    void shouldRefuseUnsolicitedBlocksAtTheDoorAndGoOn(String threads) throws Exception {
        try (TestCluster cluster = TestCluster.start("laboratory=true", threads);
                SignatureVerifier verifier = SignatureProviders.named("bc")) {
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            cluster.kill(HOSTILE);
            try (PeerTransport hostile = hostile(cluster, verifier)) {
                cluster.await("it is connected", () -> hostile.connected().size() == 3);
                long batches = 1;
                for (int i = 1; i <= FRAMES; i++) {
                    hostile.sendBlocks(0, i, List.of(new byte[] {1}), null);
                    if (i % 300 == 0) {
                        broker.submitTo(1, broker.batch(1));
                        batches++;
                    }
                }

                cluster.await("all are refused", () -> cluster.node(0).metrics().peerBlockRefusals(HOSTILE) == FRAMES);
                cluster.awaitCommitted(batches);
                cluster.assertEqualChains();
            }
        }
    }

    /**
     * Starts a member that has its key and answers nothing.
     *
     * @param cluster in which member 3 does not run
     * @param verifier stays the caller's
     */
    static PeerTransport hostile(TestCluster cluster, SignatureVerifier verifier) throws Exception {
        PeerConfig config = new PeerConfig(
                HOSTILE,
                EpochNodes.first(cluster.genesis()),
                KeyFile.readSigner(cluster.nodeDirectory(HOSTILE).keyFile()),
                verifier,
                "127.0.0.1",
                PeerConfig.Offload.EVENT_LOOP,
                PeerLimits.DEFAULTS,
                MessageLogConfig.defaults(1));
        PeerTransport transport = new PeerTransport(config, new Deaf(), new SimpleMeterRegistry());
        transport.start();
        return transport;
    }

    /** Takes everything and answers nothing. */
    private static final class Deaf implements PeerHandler {
        @Override
        public void onPayload(int source, Digest batchId, byte[] signedBatch) {
            // Not answered.
        }

        @Override
        public void onBatchRequest(int source, List<BatchRange> ranges) {
            // Not answered.
        }

        @Override
        public void onBlockRequest(int source, long from, int count) {
            // Not answered.
        }

        @Override
        public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull) {
            // Not answered.
        }

        @Override
        public void onConnected(int peer, int epoch) {
            // The test asks connected().
        }

        @Override
        public void onLaggard(int peer, int epoch) {}

        @Override
        public void onHeard(long peers, long connected) {}

        @Override
        public void onIdentityRefused(int peer) {
            // Nothing follows.
        }

        @Override
        public void onDisconnected(int peer) {
            // The test asks connected().
        }
    }
}
