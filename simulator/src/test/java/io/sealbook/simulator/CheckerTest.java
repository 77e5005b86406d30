package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker is as strict as decision 90 is. */
class CheckerTest {
    private static final int REPLICA = 1;
    private static final Signature SIGNATURE = Signature.of(new byte[64]);

    private final Checker checker = new Checker(Scenario.of(1));

    private static ReplicaRecord entered(long view) {
        return new ReplicaRecord.ViewEntered(new NewView(view, List.of(), List.of(), 2, SIGNATURE));
    }

    private static Message prepare(long view) {
        return new Prepare(view, 7, Digest.ZERO, REPLICA, SIGNATURE);
    }

    @Test
    void shouldRefuseAVoteThatNoRecordHolds() {
        assertThatThrownBy(() -> checker.onSaid(REPLICA, 0, prepare(3)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("not durable");
    }

    /** Its segment may have been full when the view began, and the next one has what matters. */
    @Test
    void shouldTakeAVoteOfTheCycleThatEnteredALaterView() {
        checker.onDurable(REPLICA, entered(5));

        checker.onSaid(REPLICA, 0, prepare(3));
    }

    @Test
    void shouldRefuseANewVoteForAnEarlierViewInALaterCycle() {
        checker.onDurable(REPLICA, entered(5));
        checker.onCycleSaid(REPLICA);

        assertThatThrownBy(() -> checker.onSaid(REPLICA, 0, prepare(3)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("in a view that it left");
    }

    private static PrePrepare prePrepare(long view, long blockTimeNs) {
        Proposal proposal = new Proposal(view, 7, blockTimeNs, Digest.ZERO, List.of());
        return new PrePrepare(view, 7, proposal, REPLICA, SIGNATURE);
    }

    private void decide(PrePrepare prePrepare) {
        checker.onSaid(2, 0, new Commit(Commit.DECIDED_VIEW, 7, prePrepare.digest(), 2));
    }

    /** Others that lack the proposal get it from whoever has it. */
    @Test
    void shouldTakeTheProposalOfADecidedBlockInAViewThatWasLeft() {
        PrePrepare decided = prePrepare(3, 1);
        checker.onDurable(REPLICA, entered(5));
        checker.onCycleSaid(REPLICA);
        decide(decided);

        checker.onSaid(REPLICA, 0, decided);
    }

    @Test
    void shouldRefuseASecondProposalThoughItsBlockIsDecided() {
        PrePrepare first = prePrepare(3, 1);
        PrePrepare second = prePrepare(3, 2);
        checker.onDurable(REPLICA, new ReplicaRecord.Accepted(first));
        checker.onSaid(REPLICA, 0, first);
        decide(second);

        assertThatThrownBy(() -> checker.onSaid(REPLICA, 0, second))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("voted twice");
    }
}
