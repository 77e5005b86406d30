package io.sealbook.peer.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameEncoder;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What every ingress offload must do with frames from node 3 to node 0. */
abstract class IngressOffloadContract {
    private static final Epoch EPOCH = Epoch.first(42);
    private static final int SENDER = 3;
    private static final int PER_PEER_MAX = 8;
    private static final int WINDOW = 20;
    private static final int BATCHES_MAX = 200;
    private static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");
    private static final List<Signer> SIGNERS = new ArrayList<>();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> laggards = new ArrayList<>();
    private final IngressOffload offload = open(config(EPOCH), registry);
    private final Link link = new Link();
    private final FrameEncoder encoder = new FrameEncoder(SENDER, 4);
    private final FrameCode[] codes = {new FrameCode(new byte[32], 0, 1 << 20), null, null, null};
    private final List<Message> received = new ArrayList<>();
    private final AtomicInteger wakeups = new AtomicInteger();

    abstract IngressOffload open(OffloadConfig config, MeterRegistry meters);

    @BeforeAll
    static void generateIdentities() {
        for (int i = SIGNERS.size(); i < 4; i++) {
            SIGNERS.add(Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256));
        }
    }

    @Test
    void shouldKeepOrderOfSignedAndUnsignedVotes() {
        List<Message> sent = List.of(commit(1), prepare(2, SENDER), commit(3), prepare(1, SENDER), commit(2));
        offload.setWakeup(wakeups::incrementAndGet);

        sent.forEach(this::arrive);
        offload.onBurstEnd();
        assertThat(offload.isEmpty()).isFalse();
        drain();

        assertThat(received).isEqualTo(sent);
        assertThat(wakeups).hasValue(1);
        assertThat(offload.isEmpty()).isTrue();
    }

    @Test
    void shouldPassARelayedSignedVoteButNoUnsignedOne() {
        arrive(prepare(1, 2));
        arrive(new Commit(0, 1, Digest.ZERO, 2));
        arrive(new CheckpointProof(StableCertificate.GENESIS, 2));
        arriveAndDrain();

        assertThat(received).containsExactly(prepare(1, 2));
        assertThat(dropped("malformed")).isEqualTo(2);
    }

    @Test
    void shouldDropAVoteOneOfWhoseNestedSignaturesIsBad() {
        arrive(viewChange(prepare(5, 1).signature()));
        arrive(viewChange(prepare(5, 2).signature()));
        arriveAndDrain();

        assertThat(received).containsExactly(viewChange(prepare(5, 1).signature()));
        assertThat(dropped("bad_signature")).isOne();
    }

    @Test
    void shouldEndTheConnectionAtItsFirstBadSignatureAndTakeWhatCameBefore() {
        arrive(prepare(1, SENDER));
        arrive(badPrepare(2));
        arrive(badPrepare(3));
        arrive(prepare(4, SENDER));
        arrive(commit(5));
        arriveAndDrain();
        arrive(commit(6));
        arriveAndDrain();

        assertThat(received).containsExactly(prepare(1, SENDER));
        assertThat(link.refusals).hasSize(1);
        assertThat(dropped("bad_signature") + dropped("after_refusal")).isEqualTo(5);
    }

    /** The sender's own signature comes first, and of the nested ones a few at a time. */
    @Test
    void shouldVerifyFewSignaturesOfAVoteThatIsFullOfBadOnes() {
        Signature junk = prepare(5, 2).signature();
        List<PreparedCertificate> prepared = new ArrayList<>();
        for (int sequence = 1; sequence <= WINDOW; sequence++) {
            PrePrepare prePrepare = new PrePrepare(0, sequence, proposal(sequence), 0, junk);
            prepared.add(new PreparedCertificate(prePrepare, List.of(new ReplicaSignature(1, junk))));
        }
        arrive(viewChange(prepared));
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(link.refusals).hasSize(1);
        assertThat(signaturesVerified()).isBetween(1.0, 16.0);
    }

    /** Its connection ends with that signature, whatever else came on it. */
    @Test
    void shouldVerifyFewSignaturesOfAPeerOneOfWhoseVotesIsBad() {
        arrive(badPrepare(2));
        arrive(viewChange(certificates(WINDOW)));
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(signaturesVerified())
                .as("the bad one, and a first round of the other vote's 41")
                .isEqualTo(1 + 16);
    }

    @Test
    void shouldVerifyAllSignaturesOfALargeVote() {
        arrive(viewChange(certificates(WINDOW)));
        arriveAndDrain();

        assertThat(received).containsExactly(viewChange(certificates(WINDOW)));
        assertThat(signaturesVerified()).isEqualTo(1 + 2 * WINDOW);
    }

    @Test
    void shouldJudgeTheFormOfAVoteBeforeItsSignatures() {
        PreparedCertificate first = certificates(1).getFirst();
        ReplicaSignature one = first.prepares().getFirst();
        List<List<PreparedCertificate>> malformed = List.of(
                List.of(certificate(1, crowded(1), one.signature())),
                List.of(first, first),
                certificates(WINDOW + 1),
                List.of(new PreparedCertificate(first.prePrepare(), List.of(one, one))),
                List.of(new PreparedCertificate(
                        first.prePrepare(), List.of(new ReplicaSignature(4, one.signature())))));

        for (List<PreparedCertificate> prepared : malformed) {
            link.isRefused = false;
            arrive(viewChange(prepared));
            arriveAndDrain();
        }

        assertThat(received).isEmpty();
        assertThat(dropped("malformed")).isEqualTo(malformed.size());
        assertThat(link.refusals).hasSameSizeAs(malformed);
        assertThat(signaturesVerified()).isZero();
    }

    @Test
    void shouldDropSignaturesOfReplicasThatDoNotExistOrOfAWrongLength() {
        Digest digest = Digest.ZERO;
        arrive(new Prepare(0, 1, digest, 4, prepare(1, 1).signature()));
        arriveAndDrain();
        link.isRefused = false;
        arrive(new Prepare(0, 2, digest, 1, Signature.of(new byte[64])));
        arriveAndDrain();
        link.isRefused = false;
        arrive(commit(1));
        arriveAndDrain();

        assertThat(received).containsExactly(commit(1));
        assertThat(dropped("bad_signature")).isEqualTo(2);
    }

    @Test
    void shouldVerifyAKnownSignatureOnlyOnce() {
        arrive(prepare(5, 1));
        arriveAndDrain();
        arrive(prepare(5, 1));
        arriveAndDrain();

        assertThat(received).containsExactly(prepare(5, 1), prepare(5, 1));
        assertThat(registry.get("sealbook.offload.signatures").counter().count())
                .isOne();
    }

    @Test
    void shouldDropADuplicateThatWaitsAndKeepEvidence() {
        Commit other = new Commit(0, 1, Digest.sha256(new byte[] {9}), SENDER);
        arrive(commit(1));
        arrive(commit(1));
        arrive(other);
        arriveAndDrain();

        assertThat(received).containsExactly(commit(1), other);
        assertThat(dropped("duplicate")).isOne();
    }

    @Test
    void shouldKeepAcknowledgementsApartThoughTheyHaveNoSequence() {
        BatchAck ack = new BatchAck(List.of(new SessionEnd(1, 1, Digest.ZERO)), SENDER);
        arrive(ack);
        arrive(ack);
        arriveAndDrain();

        assertThat(received).containsExactly(ack, ack);
    }

    @Test
    void shouldDiscardVotesForSettledSequences() {
        offload.discardThrough(16);
        arrive(commit(16));
        arrive(prepare(3, SENDER));
        arrive(commit(17));
        arriveAndDrain();

        assertThat(received).containsExactly(commit(17));
        assertThat(dropped("stale")).isEqualTo(2);
    }

    @Test
    void shouldTakeOnlyProofsOfAPeerThatIsInALaterEpoch() {
        link.epoch = 1;
        Digest hash = Digest.sha256(new byte[] {7});
        CheckpointProof proof = new CheckpointProof(certificate(hash), SENDER);
        for (Message message :
                List.of(commit(1), prepare(2, SENDER), viewChange(prepare(5, 1).signature()), proof)) {
            arrive(message);
        }
        arriveAndDrain();

        assertThat(received).containsExactly(proof);
        assertThat(dropped("other_epoch")).isEqualTo(3);
        assertThat(registry.get("sealbook.offload.signatures").counter().count())
                .as("signatures of the certificate alone")
                .isEqualTo(3);
        assertThat(link.refusals).isEmpty();
    }

    /** A node that is ahead may know more nodes, and no node any number of them. */
    @Test
    void shouldJudgeTheFormOfAProofOfALaterEpoch() {
        link.epoch = 1;
        ReplicaSignature one = certificate(Digest.ZERO).signatures().getFirst();
        for (int count : new int[] {2, 64, 65, 1_000}) {
            link.isRefused = false;
            arrive(new CheckpointProof(
                    new StableCertificate(16, Digest.ZERO, Digest.ZERO, Digest.ZERO, Collections.nCopies(count, one)),
                    SENDER));
            arriveAndDrain();
        }

        assertThat(received).isEmpty();
        assertThat(signaturesVerified()).isZero();
        assertThat(link.refusals).hasSize(4);
    }

    @Test
    void shouldRefuseWhoSendsMoreBatchesThanABlockOrAMessageHolds() {
        arrive(prePrepare(crowded(1)));
        arriveAndDrain();
        link.isRefused = false;
        List<SessionEnd> ends = crowded(BatchAck.ENDS_MAX + 1 - BATCHES_MAX).ends();
        arrive(new BatchAck(ends.subList(0, BatchAck.ENDS_MAX), SENDER));
        arriveAndDrain();
        assertThat(received).hasSize(1);
        assertThat(link.refusals).hasSize(1);

        arrive(new BatchAck(ends, SENDER));
        arriveAndDrain();

        assertThat(received).hasSize(1);
        assertThat(link.refusals).hasSize(2);
        assertThat(signaturesVerified()).isZero();
    }

    /** Each costs the agent a look, and would cost the disk a line. */
    @Test
    void shouldEndTheConnectionAtAVoteThatIsNoMessage() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            arrive(new FrameContent(FrameType.COMMIT, 0, sequence, new byte[sequence]));
        }
        arriveAndDrain();
        assertThat(link.refusals).hasSize(1);
        arrive(commit(6));
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(dropped("malformed")).isEqualTo(5);
    }

    /** A later epoch may have other keys and more nodes: that its proofs mean nothing here is no fault. */
    @Test
    void shouldDropAProofOfALaterEpochAndKeepTheConnection() {
        link.epoch = 1;
        StableCertificate genuine = certificate(Digest.ZERO);
        Signature ofOne = genuine.signatures().get(1).signature();
        for (int signer : new int[] {0, 7}) {
            arrive(new CheckpointProof(
                    new StableCertificate(
                            16, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of(new ReplicaSignature(signer, ofOne))),
                    SENDER));
        }
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(link.refusals).isEmpty();
        assertThat(dropped("bad_signature") + dropped("after_refusal")).isEqualTo(2);
    }

    /**
     * Sent while this node was in the epoch before, after its last STATUS there: it comes on a connection of the next
     * epoch, whose nodes have other keys and are fewer.
     */
    @Test
    void shouldTakeALateProofOfTheBlockThatEndedTheEpochBeforeForNoFault() {
        link.epoch = 1;
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        IngressOffload later = open(config(new Epoch(EPOCH.chainId(), 1), 16), meters);
        Signature ofOne = certificate(Digest.ZERO).signatures().get(1).signature();
        for (int signer : new int[] {0, 7}) {
            StableCertificate ended = new StableCertificate(
                    16, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of(new ReplicaSignature(signer, ofOne)));
            later.onFrame(frame(VoteKey.contentOf(new CheckpointProof(ended, SENDER))), link);
            later.onBurstEnd();
        }
        later.onFrame(frame(VoteKey.contentOf(commit(16))), link);
        later.onFrame(frame(VoteKey.contentOf(commit(17))), link);
        later.onBurstEnd();
        later.drain(received::add, Integer.MAX_VALUE);
        later.close();

        assertThat(link.refusals).isEmpty();
        assertThat(received).containsExactly(commit(17));
        assertThat(meters.get("sealbook.offload.signatures").counter().count()).isZero();
    }

    /** A certificate of a later epoch may come first, and be stable; this one ends the epoch all the same. */
    @Test
    void shouldTakeAProofBelowTheStableCheckpoint() {
        offload.discardThrough(20);
        CheckpointProof proof = new CheckpointProof(certificate(Digest.ZERO), SENDER);
        arrive(proof);
        arriveAndDrain();

        assertThat(received).containsExactly(proof);
    }

    @Test
    void shouldTakeNothingOfAPeerThatIsInAnEarlierEpoch() {
        IngressOffload later = open(config(new Epoch(EPOCH.chainId(), 1)), new SimpleMeterRegistry());
        later.onFrame(frame(VoteKey.contentOf(commit(1))), link);
        later.onFrame(frame(VoteKey.contentOf(new CheckpointProof(certificate(Digest.ZERO), SENDER))), link);
        later.onFrame(frame(FrameContent.heartbeat()), link);
        later.onBurstEnd();
        later.drain(received::add, Integer.MAX_VALUE);
        later.close();

        assertThat(received).isEmpty();
        assertThat(link.refusals).isEmpty();
    }

    /** Of an epoch only: its number is signed. */
    @Test
    void shouldDropAVoteThatWasSignedInAnotherEpoch() {
        Epoch other = new Epoch(EPOCH.chainId(), 1);
        Digest digest = proposal(1).digest();
        byte[] signature = SIGNERS.get(SENDER).sign(Prepare.signedBytes(other, 0, 1, digest, SENDER));
        arrive(new Prepare(0, 1, digest, SENDER, Signature.of(signature)));
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(dropped("bad_signature")).isOne();
    }

    @Test
    void shouldReportAStatusOfAnEarlierEpoch() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        IngressOffload later = open(config(new Epoch(EPOCH.chainId(), 2)), meters);
        Message status = new Status(0, true, 0, 0, SENDER);
        for (int epoch = 1; epoch <= 3; epoch++) {
            link.epoch = epoch;
            later.onFrame(frame(VoteKey.contentOf(status)), link);
            later.onFrame(frame(VoteKey.contentOf(commit(epoch))), link);
            later.onBurstEnd();
            later.drain(received::add, 10);
        }
        later.drain(received::add, 10);
        later.close();

        assertThat(laggards).containsExactly("3 of epoch 1");
        assertThat(received).containsExactly(status, commit(2));
    }

    @Test
    void shouldRefuseAKeyThatIsNotItsContents() {
        byte[] bytes = PeerMessageCodec.encode(prepare(5, SENDER));
        arrive(new FrameContent(FrameType.PREPARE, 0, 6, bytes));
        arriveAndDrain();
        link.isRefused = false;
        arrive(new FrameContent(FrameType.PREPARE, 1, 5, bytes));
        arriveAndDrain();
        link.isRefused = false;
        arrive(new FrameContent(FrameType.COMMIT, 0, 5, bytes));
        arriveAndDrain();

        assertThat(received).isEmpty();
        assertThat(dropped("malformed")).isEqualTo(3);
        assertThat(link.refusals).hasSize(3);
    }

    @Test
    void shouldCloseTheLinkOnABadCodeAndOnForeignTypes() {
        ByteBuf forged = frame(FrameContent.of(FrameType.STATUS, new byte[10]));
        forged.setByte(50, forged.getByte(50) ^ 1);
        offload.onFrame(forged, link);
        arriveAndDrain();
        assertThat(link.refusals).hasSize(1);
        assertThat(dropped("bad_code")).isOne();

        link.isRefused = false;
        arrive(FrameContent.of(FrameType.BATCH_REQUEST, new byte[4]));
        arriveAndDrain();
        assertThat(link.refusals).hasSize(2);
        assertThat(forged.refCnt()).isZero();
    }

    @Test
    void shouldStopReadingFromAPeerWhoseVotesWait() {
        for (int sequence = 1; sequence <= PER_PEER_MAX; sequence++) {
            arrive(commit(sequence));
        }
        offload.onBurstEnd();
        assertThat(link.isPaused).isTrue();

        assertThat(offload.drain(received::add, 2)).isEqualTo(2);
        assertThat(link.isPaused).isTrue();
        drain();

        assertThat(link.isPaused).isFalse();
        assertThat(received).hasSize(PER_PEER_MAX);
    }

    @Test
    void shouldPassAMessageLargerThanASlotAndThanTheShareOfAPeer() {
        PrePrepare large = prePrepare(crowded(0));
        arrive(large);
        arriveAndDrain();

        assertThat(received).containsExactly(large);
        assertThat(link.isPaused).isFalse();
    }

    private OffloadConfig config(Epoch epoch) {
        return config(epoch, 0);
    }

    private OffloadConfig config(Epoch epoch, long originSequence) {
        return new OffloadConfig(
                epoch,
                originSequence,
                SIGNERS.stream().map(Signer::verificationKey).toList(),
                VERIFIER,
                MessageLogConfig.defaults(1),
                WINDOW,
                BATCHES_MAX,
                PER_PEER_MAX,
                (peer, ofPeer) -> laggards.add(peer + " of epoch " + ofPeer));
    }

    private static StableCertificate certificate(Digest chainHash) {
        byte[] signed = Checkpoint.signedBytes(EPOCH.chainId(), 16, chainHash, Digest.ZERO, Digest.ZERO);
        List<ReplicaSignature> signatures = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            signatures.add(
                    new ReplicaSignature(node, Signature.of(SIGNERS.get(node).sign(signed))));
        }
        return new StableCertificate(16, chainHash, Digest.ZERO, Digest.ZERO, signatures);
    }

    private void arrive(Message message) {
        arrive(VoteKey.contentOf(message));
    }

    private void arrive(FrameContent content) {
        offload.onFrame(frame(content), link);
    }

    private ByteBuf frame(FrameContent content) {
        return encoder.encode(UnpooledByteBufAllocator.DEFAULT, content, codes);
    }

    private void arriveAndDrain() {
        offload.onBurstEnd();
        drain();
    }

    private void drain() {
        offload.drain(received::add, Integer.MAX_VALUE);
    }

    private double dropped(String reason) {
        return registry.get("sealbook.offload.dropped")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double signaturesVerified() {
        return registry.get("sealbook.offload.signatures").counter().count();
    }

    private static Commit commit(long sequence) {
        return new Commit(0, sequence, Digest.ZERO, SENDER);
    }

    private static Prepare prepare(long sequence, int sender) {
        Digest digest = proposal(sequence).digest();
        byte[] signature = SIGNERS.get(sender).sign(Prepare.signedBytes(EPOCH, 0, sequence, digest, sender));
        return new Prepare(0, sequence, digest, sender, Signature.of(signature));
    }

    /** Returns a PREPARE of the sender under the signature of another vote. */
    private static Prepare badPrepare(long sequence) {
        return new Prepare(
                0,
                sequence,
                proposal(sequence).digest(),
                SENDER,
                prepare(sequence + 1, SENDER).signature());
    }

    /** Returns certificates of the first blocks, each with the PREPARE of node 1. */
    private static List<PreparedCertificate> certificates(int count) {
        List<PreparedCertificate> prepared = new ArrayList<>();
        for (int sequence = 1; sequence <= count; sequence++) {
            prepared.add(certificate(sequence, prepare(sequence, 1).signature()));
        }
        return prepared;
    }

    private static Proposal proposal(long sequence) {
        return new Proposal(0, sequence, 1, Digest.ZERO, List.of());
    }

    /** Returns a proposal with that many sessions more than a block may name. */
    private static Proposal crowded(int tooMany) {
        List<SessionEnd> ends = new ArrayList<>();
        for (int i = 0; i < BATCHES_MAX + tooMany; i++) {
            ends.add(new SessionEnd(i, 1, Digest.sha256(new byte[] {(byte) i})));
        }
        return new Proposal(0, 1, 1, Digest.ZERO, ends);
    }

    private static PrePrepare prePrepare(Proposal proposal) {
        byte[] bytes = PrePrepare.signedBytes(EPOCH, 0, proposal.sequence(), proposal.digest(), SENDER);
        return new PrePrepare(
                0,
                proposal.sequence(),
                proposal,
                SENDER,
                Signature.of(SIGNERS.get(SENDER).sign(bytes)));
    }

    /** Returns a VIEW-CHANGE of the sender whose one prepared certificate shows this as the PREPARE of node 1. */
    private static ViewChange viewChange(Signature prepareOfOne) {
        return viewChange(List.of(certificate(5, prepareOfOne)));
    }

    private static PreparedCertificate certificate(long sequence, Signature prepareOfOne) {
        return certificate(sequence, proposal(sequence), prepareOfOne);
    }

    private static PreparedCertificate certificate(long sequence, Proposal proposal, Signature prepareOfOne) {
        byte[] bytes = PrePrepare.signedBytes(EPOCH, 0, sequence, proposal.digest(), 0);
        PrePrepare prePrepare = new PrePrepare(
                0, sequence, proposal, 0, Signature.of(SIGNERS.get(0).sign(bytes)));
        return new PreparedCertificate(prePrepare, List.of(new ReplicaSignature(1, prepareOfOne)));
    }

    private static ViewChange viewChange(List<PreparedCertificate> prepared) {
        byte[] signed = ViewChange.signedBytes(EPOCH, 1, StableCertificate.GENESIS, prepared, SENDER);
        Signature signature = Signature.of(SIGNERS.get(SENDER).sign(signed));
        return new ViewChange(1, StableCertificate.GENESIS, prepared, SENDER, signature);
    }

    /** The connection from node 3, as the offload sees it. */
    private static final class Link implements IngressLink {
        final FrameAuthenticator authenticator =
                new FrameAuthenticator(SENDER, 0, new FrameCode(new byte[32], 0, 1 << 20), 0);
        final List<String> refusals = new ArrayList<>();
        boolean isRefused;
        boolean isPaused;
        int epoch;

        @Override
        public int peerId() {
            return SENDER;
        }

        @Override
        public int peerEpoch() {
            return epoch;
        }

        @Override
        public FrameAuthenticator authenticator() {
            return authenticator;
        }

        @Override
        public void refuse(String fact) {
            refusals.add(fact);
            isRefused = true;
        }

        @Override
        public boolean isRefused() {
            return isRefused;
        }

        @Override
        public void rest(long forNs) {
            // The burst of these tests is short.
        }

        @Override
        public void pause() {
            isPaused = true;
        }

        @Override
        public void resume() {
            isPaused = false;
        }
    }
}
