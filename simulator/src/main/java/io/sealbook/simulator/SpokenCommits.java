package io.sealbook.simulator;

import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import java.util.HashSet;
import java.util.Set;

/** The COMMITs that correct nodes have said: nothing signs them, and agreement hears no others in their names. */
final class SpokenCommits {
    private record Spoken(int epoch, Commit commit) {}

    private final Set<Spoken> spoken = new HashSet<>();

    /** Keeps what a correct node says in an epoch. */
    void onSaid(int epoch, Message message) {
        if (message instanceof Commit commit) {
            spoken.add(new Spoken(epoch, commit));
        }
    }

    /**
     * Agreement of a node is about to hear of a vote of a correct one.
     *
     * @param epoch of that vote
     * @param message which may be any
     * @throws SimulationFailure if its sender has not said it
     */
    void onHeard(int epoch, Message message) {
        if (message instanceof Commit commit && !spoken.contains(new Spoken(epoch, commit))) {
            throw new SimulationFailure(
                    "replica " + commit.sender() + ": is heard with what it has not said: " + commit);
        }
    }
}
