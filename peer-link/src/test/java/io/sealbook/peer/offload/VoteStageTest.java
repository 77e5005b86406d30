package io.sealbook.peer.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameEncoder;
import io.sealbook.peer.messagelog.MessageLog;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long a stage that takes votes of nodes 2 and 3 lets each of them be read. */
class VoteStageTest {
    private static final long MS = 1_000_000;
    private static final Epoch EPOCH = Epoch.first(42);

    private final List<Signer> signers = Stream.generate(() -> Signers.generate(SignatureScheme.SM2_SM3))
            .limit(4)
            .toList();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private long nowNs;
    private int looks;

    private VoteStage stage(SignatureVerifier verifier, LongSupplier clock) {
        OffloadConfig config = new OffloadConfig(
                EPOCH,
                0,
                signers.stream().map(Signer::verificationKey).toList(),
                verifier,
                MessageLogConfig.defaults(1),
                16,
                500,
                8,
                (peer, epoch) -> {});
        MessageLog log = new MessageLog(config.messageLog());
        return new VoteStage(config, log, new OffloadMetrics(registry, log), new Nowhere(), clock);
    }

    /** Signatures of several peers are verified together, and each pays for its own. */
    @Test
    void shouldLetAPeerRestWhoseSignaturesTakeTheProcessor() {
        try (SlowVerifier verifier = new SlowVerifier()) {
            VoteStage stage = stage(verifier, () -> nowNs);
            Source greedy = new Source(3);
            Source modest = new Source(2);

            stage.accept(modest.frame(prepare(1, 2)), modest, 0);
            for (int sequence = 1; sequence <= 15; sequence++) {
                stage.accept(greedy.frame(prepare(sequence, 3)), greedy, 0);
            }
            stage.finish();

            assertThat(greedy.rests).isNotEmpty();
            assertThat(modest.rests).isEmpty();
        }
    }

    private Prepare prepare(long sequence, int sender) {
        byte[] signed = Prepare.signedBytes(EPOCH, 0, sequence, Digest.ZERO, sender);
        return new Prepare(
                0,
                sequence,
                Digest.ZERO,
                sender,
                Signature.of(signers.get(sender).sign(signed)));
    }

    /** Each signature takes a fifth of a second. */
    private final class SlowVerifier implements SignatureVerifier {
        private final SignatureVerifier verifier = SignatureProviders.named("bc");

        @Override
        public String provider() {
            return verifier.provider();
        }

        @Override
        public int verify(SignatureBatch batch) {
            nowNs += batch.size() * 200 * MS;
            return verifier.verify(batch);
        }

        @Override
        public void close() {
            verifier.close();
        }
    }

    @Test
    void shouldLetAPeerRestWhoseVotesTakeTheProcessorAndReadTheOthers() {
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            VoteStage stage = stage(verifier, this::passingNs);
            Source greedy = new Source(3);
            Source modest = new Source(2);

            int votes = 0;
            for (; greedy.rests.isEmpty() && votes < 100; votes++) {
                stage.accept(greedy.commit(), greedy, 0);
            }
            stage.accept(modest.commit(), modest, 0);
            stage.finish();

            assertThat(votes).isBetween(5, 20);
            assertThat(greedy.rests.getFirst()).isBetween(1L, PeerBudget.REST_MAX_NS);
            assertThat(modest.rests).isEmpty();
            assertThat(registry.get("sealbook.offload.rests").counter().count()).isPositive();
        }
    }

    /** The clock is looked at before a vote, after it, and for the budget. Each vote takes a fifth of a second. */
    private long passingNs() {
        looks++;
        nowNs += looks % 3 == 2 ? 200 * MS : 0;
        return nowNs;
    }

    private static final class Nowhere implements VoteStage.StoredVotes {
        @Override
        public void onStored(long handle, IngressLink link, int length) {
            // The test looks at links alone.
        }

        @Override
        public void onDropped(IngressLink link, int length) {
            // The same.
        }
    }

    /** A connection to node 0. */
    private static final class Source implements IngressLink {
        final List<Long> rests = new ArrayList<>();
        private final int peer;
        private final FrameAuthenticator authenticator;
        private final FrameEncoder encoder;
        private final FrameCode[] codes = {new FrameCode(new byte[32], 0, 1 << 20), null, null, null};
        private long sequence;

        Source(int peer) {
            this.peer = peer;
            authenticator = new FrameAuthenticator(peer, 0, new FrameCode(new byte[32], 0, 1 << 20), 0);
            encoder = new FrameEncoder(peer, 4);
        }

        ByteBuf commit() {
            sequence++;
            return frame(new Commit(0, sequence, Digest.ZERO, peer));
        }

        ByteBuf frame(Message vote) {
            return encoder.encode(UnpooledByteBufAllocator.DEFAULT, VoteKey.contentOf(vote), codes);
        }

        @Override
        public int peerId() {
            return peer;
        }

        @Override
        public int peerEpoch() {
            return 0;
        }

        @Override
        public FrameAuthenticator authenticator() {
            return authenticator;
        }

        @Override
        public void refuse(String fact) {
            throw new AssertionError(fact);
        }

        @Override
        public boolean isRefused() {
            return false;
        }

        @Override
        public void rest(long forNs) {
            rests.add(forNs);
        }

        @Override
        public void pause() {
            throw new AssertionError("its votes do not wait");
        }

        @Override
        public void resume() {
            throw new AssertionError("it was not paused");
        }
    }
}
