package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Prepare;
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
}
