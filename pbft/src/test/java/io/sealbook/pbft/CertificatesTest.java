package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The form that makes a certificate a proof (TOCS 2002, sections 4.2 to 4.4): how many signed, who signed, and what the
 * certificate is about. Signatures themselves are the shell's to verify.
 */
class CertificatesTest {
    private static final Signature SIGNATURE = Signature.of(new byte[] {1});

    private final Certificates certificates = of(4);

    private static Certificates of(int replicaCount) {
        ReplicaConfig config = ReplicaConfig.builder(0, replicaCount, TestCluster.CHAIN_ID)
                .block(2, 0)
                .windows(8, 4, 16)
                .build();
        return new Certificates(config, Quorum.of(replicaCount));
    }

    private static List<ReplicaSignature> signed(int... replicas) {
        return Arrays.stream(replicas)
                .mapToObj(replica -> new ReplicaSignature(replica, SIGNATURE))
                .toList();
    }

    private static StableCertificate stable(long sequence, int... replicas) {
        return new StableCertificate(sequence, Digest.ZERO, Digest.ZERO, Digest.ZERO, signed(replicas));
    }

    private static Proposal proposal(long view, long sequence) {
        return new Proposal(view, sequence, 5, Digest.ZERO, List.of(TestCluster.batch((int) sequence)));
    }

    private static PreparedCertificate prepared(long view, long sequence, int primary, Proposal proposal) {
        int[] backups = java.util.stream.IntStream.range(0, 4)
                .filter(replica -> replica != primary && replica != Math.floorMod(view, 4L))
                .limit(2)
                .toArray();
        return new PreparedCertificate(new PrePrepare(view, sequence, proposal, primary, SIGNATURE), signed(backups));
    }

    @Test
    void shouldTakeTheGenesisWithoutSignaturesAndNothingElseAtZero() {
        assertThat(certificates.isValid(StableCertificate.GENESIS)).isTrue();

        assertThat(certificates.isValid(stable(0, 0, 1, 2)))
                .as("no signatures are part of the genesis")
                .isFalse();
        assertThat(certificates.isValid(
                        new StableCertificate(0, TestCluster.batchId(1), Digest.ZERO, Digest.ZERO, List.of())))
                .as("another genesis block")
                .isFalse();
        assertThat(certificates.isValid(stable(-4, 0, 1, 2))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void shouldTakeAQuorumAndNotOneLess(int replicaCount) {
        int quorum = Quorum.of(replicaCount).size();
        int[] all = java.util.stream.IntStream.range(0, replicaCount).toArray();

        assertThat(of(replicaCount).isValid(stable(4, Arrays.copyOf(all, quorum))))
                .isTrue();
        assertThat(of(replicaCount).isValid(stable(4, all))).isTrue();
        assertThat(of(replicaCount).isValid(stable(4, Arrays.copyOf(all, quorum - 1))))
                .isFalse();
        assertThat(of(replicaCount).isValid(stable(4, Arrays.copyOfRange(all, 1, quorum + 1))))
                .isTrue();
        assertThat(of(replicaCount)
                        .isValid(stable(
                                4,
                                java.util.stream.IntStream.rangeClosed(replicaCount - quorum + 1, replicaCount)
                                        .toArray())))
                .as("one signer is no member")
                .isFalse();
    }

    @Test
    void shouldTakeAProposalPreparedInItsViewOrALaterOne() {
        assertThat(certificates.isValid(prepared(0, 1, 0, proposal(0, 1)))).isTrue();
        assertThat(certificates.isValid(prepared(7, 1, 3, proposal(2, 1)))).isTrue();

        assertThat(certificates.isValid(prepared(2, 1, 2, proposal(3, 1)))).isFalse();
    }

    @Test
    void shouldTakeThePrePrepareOfTheViewsPrimaryOnly() {
        assertThat(certificates.isValid(prepared(5, 1, 1, proposal(5, 1)))).isTrue();
        for (int other : new int[] {0, 2, 3}) {
            assertThat(certificates.isValid(prepared(5, 1, other, proposal(5, 1))))
                    .as("replica %d in view 5", other)
                    .isFalse();
        }
    }

    /** No rule makes a proposal without batches, so a quorum that prepared one is none. */
    @Test
    void shouldRefuseAProposalWithoutBatches() {
        assertThat(certificates.isValid(prepared(0, 1, 0, new Proposal(0, 1, 5, Digest.ZERO, List.of()))))
                .isFalse();
    }

    /** The signature of the PRE-PREPARE covers its own sequence; the proposal inside may be of another. */
    @Test
    void shouldRefuseAProposalForAnotherSequence() {
        assertThat(certificates.isValid(prepared(0, 1, 0, proposal(0, 2)))).isFalse();
        assertThat(certificates.isValid(prepared(0, 2, 0, proposal(0, 1)))).isFalse();
    }

    @Test
    void shouldRefuseANegativeView() {
        assertThat(certificates.isValid(prepared(-4, 1, 0, proposal(-4, 1)))).isFalse();
    }

    @Test
    void shouldRefuseAViewChangeForTheFirstView() {
        for (long view : new long[] {-1, 0}) {
            assertThat(certificates.isValid(new ViewChange(view, StableCertificate.GENESIS, List.of(), 2, SIGNATURE)))
                    .isFalse();
        }
        assertThat(certificates.isValid(new ViewChange(1, StableCertificate.GENESIS, List.of(), 2, SIGNATURE)))
                .isTrue();
    }

    @Test
    void shouldTakeCertificatesWithinTheWindowOfTheStableOne() {
        for (long sequence : new long[] {4, 5, 20, 21}) {
            ViewChange viewChange = new ViewChange(
                    1, stable(4, 0, 1, 2), List.of(prepared(0, sequence, 0, proposal(0, sequence))), 2, SIGNATURE);
            assertThat(certificates.isValid(viewChange))
                    .as("prepared at %d above stable 4 with a window of 16", sequence)
                    .isEqualTo(sequence > 4 && sequence <= 20);
        }
    }
}
