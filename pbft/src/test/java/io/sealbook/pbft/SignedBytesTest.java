package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Pitfalls 1 and 8: a signature covers the kind of message, the chain and every field, and all nested signatures are
 * named. Two values that differ in one field never have equal bytes, so a signature for one is none for the other.
 */
class SignedBytesTest {
    private static final long CHAIN = TestCluster.CHAIN_ID;
    private static final Epoch EPOCH = TestCluster.EPOCH;
    private static final Epoch OTHER_CHAIN = Epoch.first(CHAIN + 1);
    private static final Epoch LATER = new Epoch(CHAIN, 1);
    private static final Digest A = TestCluster.batchId(1);
    private static final Digest B = TestCluster.batchId(2);

    private static Signature signature(int number) {
        return Signature.of(new byte[] {(byte) number});
    }

    private static void assertAllDiffer(List<byte[]> values) {
        Set<String> different = new TreeSet<>();
        values.forEach(value -> different.add(HexFormat.of().formatHex(value)));
        assertThat(different).hasSameSizeAs(values);
    }

    private static String tag(byte[] bytes) {
        return new String(bytes, 0, 8, StandardCharsets.US_ASCII);
    }

    @Test
    void shouldCoverEveryFieldOfAVote() {
        assertAllDiffer(List.of(
                PrePrepare.signedBytes(EPOCH, 1, 2, A, 3),
                PrePrepare.signedBytes(OTHER_CHAIN, 1, 2, A, 3),
                PrePrepare.signedBytes(LATER, 1, 2, A, 3),
                PrePrepare.signedBytes(EPOCH, 2, 2, A, 3),
                PrePrepare.signedBytes(EPOCH, 1, 3, A, 3),
                PrePrepare.signedBytes(EPOCH, 1, 2, B, 3),
                PrePrepare.signedBytes(EPOCH, 1, 2, A, 4),
                Prepare.signedBytes(EPOCH, 1, 2, A, 3),
                Prepare.signedBytes(OTHER_CHAIN, 1, 2, A, 3),
                Prepare.signedBytes(LATER, 1, 2, A, 3),
                Prepare.signedBytes(EPOCH, 2, 2, A, 3),
                Prepare.signedBytes(EPOCH, 1, 3, A, 3),
                Prepare.signedBytes(EPOCH, 1, 2, B, 3),
                Prepare.signedBytes(EPOCH, 1, 2, A, 4)));
        assertThat(tag(PrePrepare.signedBytes(EPOCH, 1, 2, A, 3))).isEqualTo("SBPPREP2");
        assertThat(tag(Prepare.signedBytes(EPOCH, 1, 2, A, 3))).isEqualTo("SBPREPA2");
    }

    @Test
    void shouldCoverEveryFieldOfArrivals() {
        Arrival arrival = new Arrival(new SessionEnd(1, 2, A), 3);
        List<Arrival> one = List.of(arrival);
        assertAllDiffer(List.of(
                Arrivals.signedBytes(EPOCH, one, 3),
                Arrivals.signedBytes(OTHER_CHAIN, one, 3),
                Arrivals.signedBytes(LATER, one, 3),
                Arrivals.signedBytes(EPOCH, one, 4),
                Arrivals.signedBytes(EPOCH, List.of(arrival, arrival), 3),
                Arrivals.signedBytes(EPOCH, List.of(new Arrival(new SessionEnd(2, 2, A), 3)), 3),
                Arrivals.signedBytes(EPOCH, List.of(new Arrival(new SessionEnd(1, 3, A), 3)), 3),
                Arrivals.signedBytes(EPOCH, List.of(new Arrival(new SessionEnd(1, 2, B), 3)), 3),
                Arrivals.signedBytes(EPOCH, List.of(new Arrival(new SessionEnd(1, 2, A), 4)), 3)));
        assertThat(tag(Arrivals.signedBytes(EPOCH, one, 3))).isEqualTo("SBARRIV1");
    }

    /** The bytes of a checkpoint are those that auditors verify: 88 of them, without the signer. */
    @Test
    void shouldCoverEveryFieldOfACheckpoint() {
        assertAllDiffer(List.of(
                Checkpoint.signedBytes(CHAIN, 4, A, A, A),
                Checkpoint.signedBytes(CHAIN + 1, 4, A, A, A),
                Checkpoint.signedBytes(CHAIN, 8, A, A, A),
                Checkpoint.signedBytes(CHAIN, 4, B, A, A),
                Checkpoint.signedBytes(CHAIN, 4, A, B, A),
                Checkpoint.signedBytes(CHAIN, 4, A, A, B)));
        assertThat(Checkpoint.signedBytes(CHAIN, 4, A, B, A)).hasSize(120);
        assertThat(tag(Checkpoint.signedBytes(CHAIN, 4, A, B, A))).isEqualTo("SBCHKPT2");
        assertThat(new Checkpoint(4, A, B, A, 0, signature(0)).signedBytes(CHAIN))
                .isEqualTo(new Checkpoint(4, A, B, A, 3, signature(3)).signedBytes(CHAIN));
    }

    private static Proposal proposal(long view, long sequence, long timeNs, SessionEnd... ends) {
        return new Proposal(view, sequence, timeNs, A, List.of(ends));
    }

    @Test
    void shouldCoverEveryFieldOfAProposalByItsDigest() {
        SessionEnd batch = new SessionEnd(4, 5, A);
        assertAllDiffer(List.of(
                proposal(1, 2, 3, batch).canonicalBytes(),
                proposal(2, 2, 3, batch).canonicalBytes(),
                proposal(1, 3, 3, batch).canonicalBytes(),
                proposal(1, 2, 4, batch).canonicalBytes(),
                proposal(1, 2, 3, new SessionEnd(4, 5, B)).canonicalBytes(),
                proposal(1, 2, 3, new SessionEnd(4, 6, A)).canonicalBytes(),
                proposal(1, 2, 3, new SessionEnd(5, 5, A)).canonicalBytes(),
                proposal(1, 2, 3).canonicalBytes(),
                new Proposal(1, 2, 3, B, List.of(batch)).canonicalBytes(),
                proposal(1, 2, 3, batch, batch).canonicalBytes()));
        byte[] bytes = proposal(1, 2, 3, batch, batch).canonicalBytes();
        assertThat(bytes).hasSize(68 + 2 * 48);
        assertThat(tag(bytes)).isEqualTo("SBPROPO3");
        assertThat(bytes[64]).as("number of sessions, little-endian").isEqualTo((byte) 2);
        assertThat(proposal(1, 2, 3, batch).digest())
                .isEqualTo(Digest.sha256(proposal(1, 2, 3, batch).canonicalBytes()));
    }

    private static PrePrepare prePrepare(long view, long sequence, int batch) {
        return new PrePrepare(view, sequence, proposal(0, sequence, 3, TestCluster.batch(batch)), 0, signature(20));
    }

    private static PreparedCertificate prepared(long view, long sequence, int batch) {
        return new PreparedCertificate(
                prePrepare(view, sequence, batch),
                List.of(new ReplicaSignature(1, signature(21)), new ReplicaSignature(3, signature(23))));
    }

    private static StableCertificate stable(long sequence, Digest chainHash, Digest result) {
        return stable(sequence, chainHash, result, A);
    }

    private static StableCertificate stable(long sequence, Digest chainHash, Digest result, Digest proposal) {
        return new StableCertificate(
                sequence,
                chainHash,
                result,
                proposal,
                List.of(new ReplicaSignature(0, signature(10)), new ReplicaSignature(2, signature(12))));
    }

    @Test
    void shouldCoverEveryFieldOfAViewChange() {
        StableCertificate stable = stable(4, A, A);
        List<PreparedCertificate> one = List.of(prepared(0, 5, 1));
        assertAllDiffer(List.of(
                ViewChange.signedBytes(EPOCH, 1, stable, one, 2),
                ViewChange.signedBytes(OTHER_CHAIN, 1, stable, one, 2),
                ViewChange.signedBytes(LATER, 1, stable, one, 2),
                ViewChange.signedBytes(EPOCH, 2, stable, one, 2),
                ViewChange.signedBytes(EPOCH, 1, stable(8, A, A), one, 2),
                ViewChange.signedBytes(EPOCH, 1, stable(4, B, A), one, 2),
                ViewChange.signedBytes(EPOCH, 1, stable(4, A, B), one, 2),
                ViewChange.signedBytes(EPOCH, 1, stable(4, A, A, B), one, 2),
                ViewChange.signedBytes(EPOCH, 1, stable, List.of(), 2),
                ViewChange.signedBytes(EPOCH, 1, stable, List.of(prepared(1, 5, 1)), 2),
                ViewChange.signedBytes(EPOCH, 1, stable, List.of(prepared(0, 6, 1)), 2),
                ViewChange.signedBytes(EPOCH, 1, stable, List.of(prepared(0, 5, 2)), 2),
                ViewChange.signedBytes(EPOCH, 1, stable, one, 3)));
        byte[] bytes = ViewChange.signedBytes(EPOCH, 1, stable, one, 2);
        assertThat(tag(bytes)).isEqualTo("SBVCHNG3");
        assertThat(bytes).hasSize(20 + 8 + 8 + 3 * 32 + 4 + 48 + 4);
        assertThat(bytes[20 + 112]).as("number of certificates").isEqualTo((byte) 1);
        assertThat(bytes[20 + 116 + 8]).as("sequence of the first").isEqualTo((byte) 5);
    }

    private static ViewChange viewChange(int sender, PreparedCertificate... prepared) {
        return new ViewChange(1, stable(4, A, A), List.of(prepared), sender, signature(30 + sender));
    }

    @Test
    void shouldCoverEveryFieldOfANewView() {
        List<ViewChange> two = List.of(viewChange(0), viewChange(2));
        List<PrePrepare> one = List.of(prePrepare(1, 5, 1));
        assertAllDiffer(List.of(
                NewView.signedBytes(EPOCH, 1, two, one, 1),
                NewView.signedBytes(OTHER_CHAIN, 1, two, one, 1),
                NewView.signedBytes(LATER, 1, two, one, 1),
                NewView.signedBytes(EPOCH, 2, two, one, 1),
                NewView.signedBytes(EPOCH, 1, List.of(viewChange(0), viewChange(3)), one, 1),
                NewView.signedBytes(EPOCH, 1, List.of(viewChange(0), viewChange(2, prepared(0, 5, 1))), one, 1),
                NewView.signedBytes(EPOCH, 1, List.of(viewChange(0)), one, 1),
                NewView.signedBytes(EPOCH, 1, two, List.of(), 1),
                NewView.signedBytes(EPOCH, 1, two, List.of(prePrepare(1, 6, 1)), 1),
                NewView.signedBytes(EPOCH, 1, two, List.of(prePrepare(1, 5, 2)), 1),
                NewView.signedBytes(EPOCH, 1, two, one, 2)));
        byte[] bytes = NewView.signedBytes(EPOCH, 1, two, one, 1);
        assertThat(tag(bytes)).isEqualTo("SBNEWVW2");
        assertThat(bytes).hasSize(20 + 8 + 4 + 2 * 36 + 4 + 40 + 4);
        assertThat(bytes[28]).as("number of VIEW-CHANGEs").isEqualTo((byte) 2);
        assertThat(bytes[32]).as("first sender").isEqualTo((byte) 0);
        assertThat(bytes[68]).as("second sender").isEqualTo((byte) 2);
        assertThat(bytes[104]).as("number of PRE-PREPAREs").isEqualTo((byte) 1);
        assertThat(bytes[108]).as("sequence of the first").isEqualTo((byte) 5);
    }

    /** What the shell verifies: signer, bytes and signature of the message itself and of all that it contains. */
    private static List<String> named(Message message) {
        List<String> named = new ArrayList<>();
        message.forEachSignature(
                EPOCH,
                (replica, signedBytes, signature) -> named.add(replica + " " + tag(signedBytes) + " " + signature[0]));
        return named;
    }

    @Test
    void shouldNameEveryNestedSignatureWithItsSigner() {
        Digest digest = prePrepare(0, 5, 1).digest();

        assertThat(named(prePrepare(0, 5, 1))).containsExactly("0 SBPPREP2 20");
        assertThat(named(new Prepare(0, 5, digest, 1, signature(21)))).containsExactly("1 SBPREPA2 21");
        assertThat(named(new Checkpoint(4, A, A, A, 2, signature(12)))).containsExactly("2 SBCHKPT2 12");
        assertThat(named(new CheckpointProof(stable(4, A, A), 3))).containsExactly("0 SBCHKPT2 10", "2 SBCHKPT2 12");
        List<String> ofViewChange = List.of(
                "2 SBVCHNG3 32", "0 SBCHKPT2 10", "2 SBCHKPT2 12", "0 SBPPREP2 20", "1 SBPREPA2 21", "3 SBPREPA2 23");
        assertThat(named(viewChange(2, prepared(0, 5, 1)))).isEqualTo(ofViewChange);
        List<String> ofNewView = new ArrayList<>(List.of("1 SBNEWVW2 41"));
        ofNewView.addAll(ofViewChange);
        ofNewView.add("0 SBPPREP2 20");
        assertThat(named(new NewView(
                        1, List.of(viewChange(2, prepared(0, 5, 1))), List.of(prePrepare(1, 5, 1)), 1, signature(41))))
                .isEqualTo(ofNewView);
    }

    /** The PREPAREs of a certificate are verified over the view, sequence and digest of its PRE-PREPARE. */
    @Test
    void shouldVerifyThePreparesOfACertificateOverItsPrePrepare() {
        List<byte[]> covered = new ArrayList<>();
        prepared(3, 5, 1).forEachSignature(EPOCH, (replica, signedBytes, signature) -> covered.add(signedBytes));

        Digest digest = prePrepare(3, 5, 1).digest();
        assertThat(covered.get(0)).isEqualTo(PrePrepare.signedBytes(EPOCH, 3, 5, digest, 0));
        assertThat(covered.get(1)).isEqualTo(Prepare.signedBytes(EPOCH, 3, 5, digest, 1));
        assertThat(covered.get(2)).isEqualTo(Prepare.signedBytes(EPOCH, 3, 5, digest, 3));
    }

    @Test
    void shouldCompareTheOutcomeAndTheSequenceOfCheckpoints() {
        Checkpoint checkpoint = new Checkpoint(4, A, A, A, 0, signature(0));

        assertThat(checkpoint.agreesWith(new Checkpoint(4, A, A, A, 1, signature(1))))
                .isTrue();
        assertThat(checkpoint.agreesWith(new Checkpoint(8, A, A, A, 1, signature(1))))
                .isFalse();
        assertThat(checkpoint.agreesWith(new Checkpoint(4, B, A, A, 1, signature(1))))
                .isFalse();
        assertThat(checkpoint.agreesWith(new Checkpoint(4, A, B, A, 1, signature(1))))
                .isFalse();
        assertThat(checkpoint.agreesWith(new Checkpoint(4, A, A, B, 1, signature(1))))
                .isFalse();
    }
}
