package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
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

/** TOCS 2002, section 4.4, for chained proposals: what a NEW-VIEW must propose, as a function of its VIEW-CHANGEs. */
class NewViewObligationTest {
    private static final long VIEW = 6;
    private static final Signature SIGNATURE = Signature.of(new byte[] {1});

    /** Returns a proposal that follows a checkpoint, or begins the chain. */
    private static Proposal proposal(long view, long sequence, int batch) {
        return proposal(view, sequence, sequence == 1 ? Digest.ZERO : atCheckpoint(sequence - 1), batch);
    }

    private static Proposal proposal(long view, long sequence, Digest previous, int batch) {
        return new Proposal(view, sequence, 5, previous, List.of(TestCluster.batch(batch)));
    }

    private static Proposal after(Proposal previous, long view, int batch) {
        return proposal(view, previous.sequence() + 1, previous.digest(), batch);
    }

    /** Returns the digest of the proposal of a checkpoint's block. */
    private static Digest atCheckpoint(long sequence) {
        return sequence == 0 ? Digest.ZERO : TestCluster.batchId(-(int) sequence);
    }

    private static PreparedCertificate prepared(long view, Proposal proposal) {
        return new PreparedCertificate(
                new PrePrepare(view, proposal.sequence(), proposal, (int) (view % 4), SIGNATURE), List.of());
    }

    private static ViewChange viewChange(int sender, long stable, PreparedCertificate... prepared) {
        StableCertificate certificate = stable == 0
                ? StableCertificate.GENESIS
                : new StableCertificate(stable, Digest.ZERO, Digest.ZERO, atCheckpoint(stable), List.of());
        return new ViewChange(VIEW, certificate, Arrays.asList(prepared), sender, SIGNATURE);
    }

    private static List<Proposal> proposals(ViewChange... viewChanges) {
        return NewViewObligation.of(Arrays.asList(viewChanges)).proposals();
    }

    @Test
    void shouldObligeToNothingWhenNothingWasPrepared() {
        NewViewObligation obligation =
                NewViewObligation.of(List.of(viewChange(0, 4), viewChange(1, 8), viewChange(2, 0)));

        assertThat(obligation.stable().sequence()).isEqualTo(8);
        assertThat(obligation.proposals()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsAtOrBelowTheHighestStableCheckpoint() {
        assertThat(proposals(
                        viewChange(0, 0, prepared(0, proposal(0, 3, 1)), prepared(0, proposal(0, 4, 2))),
                        viewChange(1, 4)))
                .isEmpty();
        assertThat(proposals(
                        viewChange(0, 0, prepared(0, proposal(0, 4, 1)), prepared(0, proposal(0, 5, 2))),
                        viewChange(1, 4)))
                .containsExactly(proposal(0, 5, 2));
    }

    @Test
    void shouldEndBeforeASequenceThatNothingWasPreparedFor() {
        Proposal five = proposal(0, 5, 1);
        Proposal six = after(five, 0, 2);
        Proposal seven = after(six, 0, 3);

        assertThat(proposals(viewChange(0, 4, prepared(0, five), prepared(0, seven))))
                .containsExactly(five);
        assertThat(proposals(viewChange(0, 4, prepared(0, six), prepared(0, seven))))
                .isEmpty();
        assertThat(proposals(
                        viewChange(0, 4, prepared(0, five), prepared(0, seven)), viewChange(1, 4, prepared(0, six))))
                .containsExactly(five, six, seven);
    }

    @Test
    void shouldEndBeforeAProposalThatContinuesAnotherChain() {
        Proposal first = proposal(0, 1, 1);
        Proposal second = after(first, 0, 2);
        Proposal third = after(second, 0, 3);
        Proposal otherFirst = proposal(2, 1, 4);
        Proposal otherSecond = after(otherFirst, 2, 5);

        assertThat(proposals(
                        viewChange(0, 0, prepared(0, first), prepared(0, second), prepared(0, third)),
                        viewChange(1, 0, prepared(2, otherFirst))))
                .as("the first of view 2 counts, and the second of view 0 does not continue it")
                .containsExactly(otherFirst);
        assertThat(proposals(
                        viewChange(0, 0, prepared(0, first), prepared(0, second), prepared(0, third)),
                        viewChange(1, 0, prepared(2, otherFirst), prepared(2, otherSecond))))
                .as("the third of view 0 was prepared after another second")
                .containsExactly(otherFirst, otherSecond);
    }

    /** A replica that lags may show what was prepared above a block which another block has replaced. */
    @Test
    void shouldContinueTheStableCheckpoint() {
        Proposal replaced = proposal(0, 4, 9);

        assertThat(proposals(
                        viewChange(0, 0, prepared(0, replaced), prepared(0, after(replaced, 0, 2))), viewChange(1, 4)))
                .isEmpty();
    }

    @Test
    void shouldTakeTheProposalOfTheHighestViewInWhateverOrder() {
        List<ViewChange> viewChanges = new ArrayList<>(List.of(
                viewChange(0, 0, prepared(3, proposal(3, 1, 30))),
                viewChange(1, 0, prepared(5, proposal(2, 1, 20))),
                viewChange(2, 0, prepared(1, proposal(1, 1, 10)))));

        for (int rotation = 0; rotation < 3; rotation++) {
            Collections.rotate(viewChanges, 1);
            assertThat(NewViewObligation.of(viewChanges).proposals()).containsExactly(proposal(2, 1, 20));
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

    /** Rule 8, written a second time in the most direct way, over random certificates. */
    @Test
    void shouldFollowTheRuleForRandomViewChanges() {
        Random random = new Random(44);
        int longest = 0;
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
            List<Proposal> expected = new ArrayList<>();
            Digest last = atCheckpoint(minS);
            for (long at = minS + 1; last != null; at++) {
                Proposal next = highest(shown, at);
                boolean continues = next != null && next.previous().equals(last);
                last = continues ? next.digest() : null;
                if (continues) {
                    expected.add(next);
                }
            }
            longest = Math.max(longest, expected.size());

            NewViewObligation obligation = NewViewObligation.of(viewChanges);

            assertThat(obligation.stable().sequence()).as("round %d", round).isEqualTo(minS);
            assertThat(obligation.proposals()).as("round %d", round).isEqualTo(expected);
        }
        assertThat(longest).as("the rounds reach long chains").isGreaterThan(3);
    }

    private static Proposal highest(List<PreparedCertificate> shown, long sequence) {
        return shown.stream()
                .filter(certificate -> certificate.sequence() == sequence)
                .max(java.util.Comparator.comparingLong(PreparedCertificate::view))
                .map(PreparedCertificate::proposal)
                .orElse(null);
    }

    /** Returns a chain of its own for each view, from the checkpoint before on. */
    private static Proposal ofView(long view, long sequence) {
        int batch = (int) (100 * view + sequence);
        return sequence % 4 == 1 ? proposal(view, sequence, batch) : after(ofView(view, sequence - 1), view, batch);
    }

    private static List<ViewChange> randomViewChanges(Random random) {
        List<ViewChange> viewChanges = new ArrayList<>();
        for (int sender = 0; sender < 3; sender++) {
            long stable = 4L * random.nextInt(3);
            List<PreparedCertificate> prepared = new ArrayList<>();
            for (long sequence = stable + 1; sequence <= stable + 6; sequence++) {
                if (random.nextInt(4) > 0) {
                    long view = random.nextInt(2);
                    // One proposal per view and sequence: no quorum prepares two.
                    prepared.add(prepared(view, ofView(view, sequence)));
                }
            }
            viewChanges.add(viewChange(sender, stable, prepared.toArray(PreparedCertificate[]::new)));
        }
        return viewChanges;
    }

    @Test
    void shouldCompareEveryFieldOfThePrePrepares() {
        Proposal first = proposal(0, 1, 1);
        Proposal second = after(first, 0, 2);
        NewViewObligation obligation =
                NewViewObligation.of(List.of(viewChange(0, 0, prepared(0, first), prepared(0, second))));
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
        assertThat(obligation.isMetBy(List.of(one, new PrePrepare(VIEW, 2, after(first, 0, 3), 2, SIGNATURE)), VIEW, 2))
                .as("another proposal")
                .isFalse();
    }
}
