package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transition in every state: where it is legal, where it leads, and what it resets. */
class StandingTest {
    private static final long MS = TestCluster.MS;
    private static final Outcome OUTCOME = new Outcome(Digest.ZERO, Digest.ZERO);

    private final List<Output> outputs = new ArrayList<>();
    private final Core core = new Core(
            ReplicaConfig.builder(1, 4, TestCluster.CHAIN_ID).windows(8, 4, 16).build(),
            Quorum.of(4),
            TestCluster.signerOf(1));
    private final Standing standing = core.standing;

    /**
     * View 3, stable checkpoint 4; block 6 is delivered, or block 3 where blocks are missing. Isolated at checkpoint 4.
     */
    private void begin(ReplicaState state) {
        core.out = outputs;
        standing.restore(
                3,
                state.isViewActive(),
                newView(3),
                certificate(4),
                state.isTransferring() ? 3 : 6,
                state.isIsolated() ? new ReplicaRecord.Isolated(4, OUTCOME, OUTCOME) : null);
        assertThat(standing.state()).isEqualTo(state);
    }

    private static StableCertificate certificate(long sequence) {
        return new StableCertificate(sequence, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of());
    }

    private static NewView newView(long view) {
        List<ViewChange> viewChanges = new ArrayList<>();
        for (int sender = 0; sender < 3; sender++) {
            viewChanges.add(
                    new ViewChange(view, StableCertificate.GENESIS, List.of(), sender, Signature.of(new byte[0])));
        }
        return new NewView(view, viewChanges, List.of(), (int) (view % 4), Signature.of(new byte[0]));
    }

    private void startTimers() {
        for (Timer timer : Timer.values()) {
            core.timers.start(timer, MS);
        }
        outputs.clear();
    }

    private List<Timer> running() {
        return java.util.Arrays.stream(Timer.values())
                .filter(core.timers::isRunning)
                .toList();
    }

    /** Runs a transition where it is legal, otherwise shows that it is refused with the facts and changes nothing. */
    private void check(boolean isLegal, ReplicaState before, Runnable transition, ReplicaState after) {
        if (isLegal) {
            transition.run();
            assertThat(standing.state()).isEqualTo(after);
        } else {
            assertThatThrownBy(transition::run)
                    .isInstanceOf(InvariantViolation.class)
                    .hasMessageContaining("in state " + before)
                    .hasMessageContaining("replica 1");
            assertThat(standing.state()).isEqualTo(before);
            assertThat(outputs).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveAViewUnlessIsolated(ReplicaState state) {
        begin(state);
        startTimers();

        check(!state.isIsolated(), state, () -> standing.leaveView(4), state.withView(false));

        if (!state.isIsolated()) {
            assertThat(standing.view()).isEqualTo(4);
            assertThat(standing.viewChangeAttempts()).isEqualTo(1);
            assertThat(running()).containsExactly(Timer.STATUS);
            assertThat(outputs).contains(new Output.Persist(new ReplicaRecord.ViewLeft(4, List.of())));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotLeaveForAViewThatIsNotHigher(ReplicaState state) {
        begin(state);

        check(false, state, () -> standing.leaveView(3), state);
        check(false, state, () -> standing.leaveView(2), state);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEnterAHigherViewInAnyState(ReplicaState state) {
        begin(state);
        startTimers();
        Slot slot = core.slot(7);
        slot.isFetching = true;

        check(true, state, () -> standing.enterView(newView(5)), state.withView(true));

        assertThat(standing.view()).isEqualTo(5);
        assertThat(standing.newView().view()).isEqualTo(5);
        assertThat(running()).containsExactly(Timer.BATCH, Timer.STATUS);
        assertThat(slot.isFetching).as("slots forget the view before").isFalse();
        assertThat(outputs).contains(new Output.Persist(new ReplicaRecord.ViewEntered(newView(5))));
    }

    @ParameterizedTest
    @EnumSource
    void shouldEnterItsOwnViewOnlyWhenThatHasNotBegun(ReplicaState state) {
        begin(state);

        check(!state.isViewActive(), state, () -> standing.enterView(newView(3)), state.withView(true));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNeverEnterALowerView(ReplicaState state) {
        begin(state);

        check(false, state, () -> standing.enterView(newView(2)), state);
    }

    @ParameterizedTest
    @EnumSource
    void shouldIsolateItselfOnce(ReplicaState state) {
        begin(state);
        startTimers();

        check(!state.isIsolated(), state, () -> standing.isolate(8, OUTCOME, OUTCOME), state.withIsolation(true));

        if (!state.isIsolated()) {
            assertThat(standing.isolation().checkpoint()).isEqualTo(8);
            assertThat(running()).containsExactly(Timer.LINK, Timer.STATUS);
            assertThat(outputs)
                    .containsSubsequence(
                            new Output.Persist(new ReplicaRecord.Isolated(8, OUTCOME, OUTCOME)),
                            new Output.Isolated(8, OUTCOME, OUTCOME));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndAnIsolationByACertificateAtItOrAbove(ReplicaState state) {
        begin(state);

        check(false, state, () -> standing.endIsolation(certificate(3)), state);
        check(state.isIsolated(), state, () -> standing.endIsolation(certificate(4)), state.withIsolation(false));

        assertThat(standing.takeRejoined()).isEqualTo(state.isIsolated());
        assertThat(standing.takeRejoined()).as("reported once").isFalse();
        if (state.isIsolated()) {
            assertThat(standing.isolation()).isNull();
            assertThat(outputs).containsExactly(new Output.Persist(new ReplicaRecord.IsolationEnded(4)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeginATransferOnce(ReplicaState state) {
        begin(state);

        check(!state.isTransferring(), state, () -> standing.beginTransfer(certificate(8)), state.withTransfer(true));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotTransferWhatIsDelivered(ReplicaState state) {
        begin(state);

        check(false, state, () -> standing.beginTransfer(certificate(3)), state);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndATransferAtTheStableCheckpoint(ReplicaState state) {
        begin(state);

        check(state.isTransferring(), state, () -> standing.endTransfer(4), state.withTransfer(false));

        assertThat(standing.lastDelivered()).isEqualTo(state.isTransferring() ? 4 : 6);
    }

    @ParameterizedTest
    @EnumSource(names = ".*TRANSFERRING.*", mode = EnumSource.Mode.MATCH_ALL)
    void shouldGoOnTransferringBelowTheStableCheckpoint(ReplicaState state) {
        begin(state);
        standing.stabilise(certificate(8));

        standing.endTransfer(4);

        assertThat(standing.state()).isEqualTo(state);
        assertThat(standing.lastDelivered()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverTheNextBlockUnlessTransferring(ReplicaState state) {
        begin(state);
        long next = standing.lastDelivered() + 1;

        check(false, state, () -> standing.deliver(next + 1, 5), state);
        check(false, state, () -> standing.deliver(next - 1, 5), state);
        check(!state.isTransferring(), state, () -> standing.deliver(next, 5), state);

        assertThat(standing.deliveredBlockTimeNs()).isEqualTo(state.isTransferring() ? 0 : 5);
    }

    @Test
    void shouldForgetFailedViewsWithTheFirstDeliveryInAView() {
        begin(ReplicaState.NORMAL);
        standing.leaveView(4);
        standing.leaveView(5);

        standing.deliver(7, 1);
        assertThat(standing.viewChangeAttempts()).as("between views").isEqualTo(2);

        standing.enterView(newView(5));
        standing.deliver(8, 1);
        assertThat(standing.viewChangeAttempts()).isZero();
    }

    @Test
    void shouldKeepTheLatestBlockTime() {
        begin(ReplicaState.NORMAL);

        standing.deliver(7, 90);
        standing.deliver(8, 0);

        assertThat(standing.deliveredBlockTimeNs()).isEqualTo(90);
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeStableWhatIsDeliveredOrBeingTransferred(ReplicaState state) {
        begin(state);

        check(false, state, () -> standing.stabilise(certificate(4)), state);
        check(false, state, () -> standing.stabilise(certificate(0)), state);
        check(state.isTransferring(), state, () -> standing.stabilise(certificate(8)), state);

        if (state.isTransferring()) {
            assertThat(outputs)
                    .containsExactly(
                            new Output.Persist(new ReplicaRecord.Stable(certificate(8))),
                            new Output.StableCheckpoint(certificate(8)));
        } else {
            standing.deliver(7, 1);
            standing.deliver(8, 1);
            standing.stabilise(certificate(8));
            assertThat(standing.stable().sequence()).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldVoteOnlyInAnActiveViewAndNotIsolated(ReplicaState state) {
        begin(state);

        assertThat(core.mayVote()).isEqualTo(state == ReplicaState.NORMAL || state == ReplicaState.TRANSFERRING);
    }

    @Test
    void shouldRestoreOnce() {
        begin(ReplicaState.NORMAL);

        assertThatThrownBy(() -> begin(ReplicaState.NORMAL)).isInstanceOf(InvariantViolation.class);
    }
}
