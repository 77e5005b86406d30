package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ProposedBatch;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** TOCS 2002, section 4.4: what a NEW-VIEW must propose, as a function of its VIEW-CHANGEs. */
class NewViewObligationTest {
    private static final long VIEW = 6;
    private static final Signature SIGNATURE = Signature.of(new byte[] {1});

    private static Proposal proposal(long view, long sequence, int batch) {
        return new Proposal(view, sequence, 5, List.of(new ProposedBatch(TestCluster.batchId(batch), 5)));
    }

    private static PreparedCertificate prepared(long view, Proposal proposal) {
        return new PreparedCertificate(
                new PrePrepare(view, proposal.sequence(), proposal, (int) (view % 4), SIGNATURE), List.of());
    }

    private static ViewChange viewChange(int sender, long stable, PreparedCertificate... prepared) {
        StableCertificate certificate = stable == 0
                ? StableCertificate.GENESIS
                : new StableCertificate(stable, Digest.ZERO, Digest.ZERO, List.of());
        return new ViewChange(VIEW, certificate, Arrays.asList(prepared), sender, SIGNATURE);
    }

    private static List<Proposal> proposals(ViewChange... viewChanges) {
        return NewViewObligation.of(VIEW, Arrays.asList(viewChanges)).proposals();
    }

    @Test
    void shouldObligeToNothingWhenNothingWasPrepared() {
        NewViewObligation obligation =
                NewViewObligation.of(VIEW, List.of(viewChange(0, 4), viewChange(1, 8), viewChange(2, 0)));

        assertThat(obligation.stable().sequence()).isEqualTo(8);
        assertThat(obligation.proposals()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsAtOrBelowTheHighestStableCheckpoint() {
        assertThat(proposals(
                        viewChange(0, 0, prepared(0, proposal(0, 3, 1)), prepared(0, proposal(0, 4, 2))),
                        viewChange(1, 4)))
                .isEmpty();
        assertThat(proposals(viewChange(0, 0, prepared(0, proposal(0, 6, 1))), viewChange(1, 4)))
                .containsExactly(Proposal.nullProposal(VIEW, 5), proposal(0, 6, 1));
    }

    @Test
    void shouldTakeTheProposalOfTheHighestViewInWhateverOrder() {
        List<ViewChange> viewChanges = new ArrayList<>(List.of(
                viewChange(0, 0, prepared(3, proposal(3, 1, 30))),
                viewChange(1, 0, prepared(5, proposal(2, 1, 20))),
                viewChange(2, 0, prepared(1, proposal(1, 1, 10)))));

        for (int rotation = 0; rotation < 3; rotation++) {
            Collections.rotate(viewChanges, 1);
            assertThat(NewViewObligation.of(VIEW, viewChanges).proposals()).containsExactly(proposal(2, 1, 20));
        }
    }

    @Test
    void shouldRefuseTwoProposalsPreparedInOneView() {
        assertThatThrownBy(() -> proposals(
                        viewChange(0, 0, prepared(3, proposal(3, 1, 1))),
                        viewChange(1, 0, prepared(3, proposal(3, 1, 2)))))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("sequence 1 prepared twice in view 3");
        assertThat(proposals(
                        viewChange(0, 0, prepared(3, proposal(3, 1, 1))),
                        viewChange(1, 0, prepared(3, proposal(3, 1, 1)))))
                .containsExactly(proposal(3, 1, 1));
    }

    /** The rule of the paper, written a second time in the most direct way, over random certificates. */
    @Test
    void shouldFollowThePaperForRandomViewChanges() {
        Random random = new Random(44);
        for (int round = 0; round < 2_000; round++) {
            List<ViewChange> viewChanges = randomViewChanges(random);
            long minS = viewChanges.stream()
                    .mapToLong(viewChange -> viewChange.stableCertificate().sequence())
                    .max()
                    .orElseThrow();
            List<PreparedCertificate> shown = viewChanges.stream()
                    .flatMap(viewChange -> viewChange.prepared().stream())
                    .filter(certificate -> certificate.sequence() > minS)
                    .toList();
            long maxS = shown.stream()
                    .mapToLong(PreparedCertificate::sequence)
                    .max()
                    .orElse(minS);
            List<Proposal> expected = new ArrayList<>();
            for (long sequence = minS + 1; sequence <= maxS; sequence++) {
                long at = sequence;
                expected.add(shown.stream()
                        .filter(certificate -> certificate.sequence() == at)
                        .max(java.util.Comparator.comparingLong(PreparedCertificate::view))
                        .map(PreparedCertificate::proposal)
                        .orElse(Proposal.nullProposal(VIEW, at)));
            }

            NewViewObligation obligation = NewViewObligation.of(VIEW, viewChanges);

            assertThat(obligation.stable().sequence()).as("round %d", round).isEqualTo(minS);
            assertThat(obligation.proposals()).as("round %d", round).isEqualTo(expected);
        }
    }

    private static List<ViewChange> randomViewChanges(Random random) {
        List<ViewChange> viewChanges = new ArrayList<>();
        for (int sender = 0; sender < 3; sender++) {
            long stable = 4L * random.nextInt(3);
            List<PreparedCertificate> prepared = new ArrayList<>();
            for (long sequence = stable + 1; sequence <= stable + 6; sequence++) {
                if (random.nextBoolean()) {
                    long view = random.nextInt(6);
                    // One proposal per view and sequence: no quorum prepares two.
                    prepared.add(prepared(view, proposal(view, sequence, (int) (100 * view + sequence))));
                }
            }
            viewChanges.add(viewChange(sender, stable, prepared.toArray(PreparedCertificate[]::new)));
        }
        return viewChanges;
    }

    @Test
    void shouldCompareEveryFieldOfThePrePrepares() {
        Proposal first = proposal(0, 1, 1);
        Proposal second = proposal(0, 2, 2);
        NewViewObligation obligation =
                NewViewObligation.of(VIEW, List.of(viewChange(0, 0, prepared(0, first), prepared(0, second))));
        PrePrepare one = new PrePrepare(VIEW, 1, first, 2, SIGNATURE);
        PrePrepare two = new PrePrepare(VIEW, 2, second, 2, SIGNATURE);

        assertThat(obligation.isMetBy(List.of(one, two), VIEW, 2)).isTrue();

        assertThat(obligation.isMetBy(List.of(one), VIEW, 2)).isFalse();
        assertThat(obligation.isMetBy(List.of(one, two, two), VIEW, 2)).isFalse();
        assertThat(obligation.isMetBy(List.of(two, one), VIEW, 2)).isFalse();
        assertThat(obligation.isMetBy(List.of(one, new PrePrepare(VIEW - 1, 2, second, 2, SIGNATURE)), VIEW, 2))
                .as("of another view")
                .isFalse();
        assertThat(obligation.isMetBy(List.of(one, new PrePrepare(VIEW, 2, second, 3, SIGNATURE)), VIEW, 2))
                .as("signed by another replica")
                .isFalse();
        assertThat(obligation.isMetBy(List.of(one, new PrePrepare(VIEW, 3, second, 2, SIGNATURE)), VIEW, 2))
                .as("under another sequence")
                .isFalse();
        assertThat(obligation.isMetBy(List.of(one, new PrePrepare(VIEW, 2, proposal(0, 2, 3), 2, SIGNATURE)), VIEW, 2))
                .as("another proposal")
                .isFalse();
    }
}
