package io.sealbook.node.restart;

import java.util.Optional;

/**
 * What the files of a node show about votes of which its replica log has no record. A start judges by it, and so do the
 * tools that look into a stopped node.
 *
 * @param lastArchived last block of the archive, 0 if there is none
 * @param lastHandedOver last block that was handed over, 0 if there is none
 * @param isVoteMarkSet whether {@code replica-mark/} shows that the replica has recorded a vote
 * @param neverVotedFault why nothing shows that the key has never voted; empty if its mark does
 */
public record LostVotes(
        long lastArchived, long lastHandedOver, boolean isVoteMarkSet, Optional<String> neverVotedFault) {
    /** Returns why the replica may have voted; empty if it has not. It follows the fact that there is no record. */
    public Optional<String> fact() {
        return tookPart()
                .map("but "::concat)
                .or(() -> neverVotedFault.map("and nothing shows that its key has never voted: "::concat));
    }

    /** Returns what shows that the replica took part before; empty if nothing does. */
    private Optional<String> tookPart() {
        if (lastArchived > 0) {
            return Optional.of("the archive ends at block " + lastArchived);
        }
        if (lastHandedOver > 0) {
            return Optional.of("queue/blocks ends at block " + lastHandedOver);
        }
        return isVoteMarkSet ? Optional.of("replica-mark/ shows that this replica has voted") : Optional.empty();
    }

    /** Returns what the operator can do without a risk, as part of a sentence. */
    public String wayOut() {
        return tookPart().isPresent()
                ? "Restore replica-log/ as it was when this node stopped, or leave the node down"
                : "If the key is new, put the file there that was made beside it; else restore the directory as it was"
                        + " when this node stopped, or let the members give the node another key";
    }
}
