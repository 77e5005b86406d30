package io.sealbook.node.port;

import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.member.TransactionFate;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.message.Message;
import io.sealbook.protocol.v1.RefusalReason;
import java.util.List;

/** For tests that look at outcomes and not at what operators are told. */
public class NoEvents implements NodeEvents {
    @Override
    public void refused(RefusalReason reason) {
        // Nobody asks.
    }

    @Override
    public void decoded(int batchCount) {
        // Nobody asks.
    }

    @Override
    public void equivocated(long sessionKey, long number) {
        // Nobody asks.
    }

    @Override
    public void doubleVoted(MemberEvidence evidence) {
        // Nobody asks.
    }

    @Override
    public void evidenceUnwritten(String fact) {
        // Nobody asks.
    }

    @Override
    public void evidenceWritten(int lost) {
        // Nobody asks.
    }

    @Override
    public void headsRebuilt(long blockCount) {
        // Nobody asks.
    }

    @Override
    public void peerRefused(int peer, RefusalReason reason) {
        // Nobody asks.
    }

    @Override
    public void early(int peer) {
        // Nobody asks.
    }

    @Override
    public void administered(TransactionFate fate) {
        // Nobody asks.
    }

    @Override
    public void admitted(int orderCount) {
        // Nobody asks.
    }

    @Override
    public void committed(int batchCount, long orderCount) {
        // Nobody asks.
    }

    @Override
    public void blockDone(long sequence, BlockTimes times) {
        // Nobody asks.
    }

    @Override
    public void delivered(long receivedNs) {
        // Nobody asks.
    }

    @Override
    public void ignored(Message message, IgnoreReason reason) {
        // Nobody asks.
    }

    @Override
    public void viewEntered(long view, int primary) {
        // Nobody asks.
    }

    @Override
    public void isolated(Output.Isolated facts) {
        // Nobody asks.
    }

    @Override
    public void isolationEnded(long checkpoint) {
        // Nobody asks.
    }

    @Override
    public void fetched(int batchCount) {
        // Nobody asks.
    }

    @Override
    public void transferStarted(long from, long to) {
        // Nobody asks.
    }

    @Override
    public void transferReached(long sequence) {
        // Nobody asks.
    }

    @Override
    public void transferred(int blockCount) {
        // Nobody asks.
    }

    @Override
    public void transferRefused(int peer, long from, String fault) {
        // Nobody asks.
    }

    @Override
    public void certificateRefused(int peer, long sequence) {
        // Nobody asks.
    }

    @Override
    public void transferBroken(String fact) {
        // Nobody asks.
    }

    @Override
    public void replicaLogLossAccepted(String fact) {
        // Not counted.
    }

    @Override
    public void payloadsRestored(int batchCount, List<String> damage) {
        // Not counted.
    }

    @Override
    public void handedOver(long blockCount) {
        // Nobody asks.
    }

    @Override
    public void blocksDamaged(List<Long> sequences) {
        // Nobody asks.
    }

    @Override
    public void certificatesDamaged(long after, long before) {
        // Nobody asks.
    }

    @Override
    public void blockRepaired(long sequence, int peer) {
        // Nobody asks.
    }

    @Override
    public void certificatesRepaired(long after, long before, int count) {
        // Nobody asks.
    }

    @Override
    public void repairRefused(int peer, long sequence, String fault) {
        // Nobody asks.
    }

    @Override
    public void repairPostponed(long sequence, String why) {
        // Nobody asks.
    }
}
