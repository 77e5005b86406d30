package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.inspect.NodeLocks;
import io.sealbook.consensus.inspect.RecordedVotes;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.keytool.Finding;
import io.sealbook.node.restart.LostVotes;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.util.Optional;

/** Whether the node would find the records of its votes at its next start. */
final class VoteRecordChecks {
    private static final String CHECK = "votes";

    private VoteRecordChecks() {}

    /**
     * Checks the files of a node. A node that runs has found its records, and changes its files while they are read.
     *
     * @param files of the node
     * @param key of its identity
     */
    static Finding run(NodeDirectory files, VerificationKey key) {
        try {
            if (NodeLocks.held(files).isPresent()) {
                return Finding.ok(CHECK, "the node runs");
            }
            Optional<LostVotes> lost = new RecordedVotes(files).lost(key);
            return lost.map(votes -> Finding.fail(
                            CHECK,
                            "replica-log/ has no record, " + votes.fact().orElseThrow() + "; the node refuses to start",
                            remedy(votes)))
                    .orElseGet(() -> Finding.ok(CHECK, "the node has its records, or its key has never voted"));
        } catch (IOException | OperatingFailureException e) {
            return Finding.fail(CHECK, FailureText.of(e), "look into the stopped node with 'inspect'");
        }
    }

    private static String remedy(LostVotes votes) {
        String sentence = votes.wayOut();
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
