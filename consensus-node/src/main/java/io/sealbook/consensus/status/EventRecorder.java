package io.sealbook.consensus.status;

import io.sealbook.access.FaultTally;
import io.sealbook.consensus.handoff.IsolationFile;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.member.TransactionFate;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.BlockTimes;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.message.Message;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SessionKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs what a node's decisions report. Of faults that a peer can repeat without end, the first, the second,
 * the fourth and so on have a line; metrics count all. Any thread.
 */
public final class EventRecorder implements NodeEvents {
    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

    private final EpochNanoClock clock = new SystemEpochNanoClock();
    private final NodeMetrics metrics;
    private final Optional<IsolationFile> isolationFile;
    private final Map<IgnoreReason, FaultTally> ignoredFaults = new EnumMap<>(IgnoreReason.class);
    private final FaultTally transferFaults = new FaultTally();
    private final FaultTally certificateFaults = new FaultTally();
    /** Of chains that several peers sent: it is not known whose fault they are. */
    private final FaultTally brokenChains = new FaultTally();

    private final FaultTally repairFaults = new FaultTally();

    public EventRecorder(NodeMetrics metrics) {
        this(metrics, Optional.empty());
    }

    /**
     * @param metrics counts
     * @param isolationFile written when the node is isolated; empty for a node that cannot be
     */
    public EventRecorder(NodeMetrics metrics, Optional<IsolationFile> isolationFile) {
        this.metrics = metrics;
        this.isolationFile = isolationFile;
        for (IgnoreReason reason : IgnoreReason.values()) {
            ignoredFaults.put(reason, new FaultTally());
        }
    }

    @Override
    public void refused(RefusalReason reason) {
        metrics.refused(reason);
    }

    @Override
    public void peerRefused(int peer, RefusalReason reason) {
        metrics.peerRefused(peer, reason);
    }

    @Override
    public void early(int peer) {
        metrics.early(peer);
    }

    @Override
    public void administered(TransactionFate fate) {
        String name = "transaction " + Long.toUnsignedString(fate.number()) + " of node " + fate.proposer();
        if (fate.refusal().isEmpty()) {
            log.info("{} is executed in block {}: {}", name, fate.block(), fate.reason());
        } else {
            log.warn("{} changes nothing in block {}: {}", name, fate.block(), fate.refusal());
        }
    }

    @Override
    public void equivocated(long sessionKey, long number) {
        metrics.equivocated();
        log.error(
                "broker signed two batches under number {} of {}: both are kept in evidence/, the session is suspended"
                        + " here",
                Long.toUnsignedString(number),
                SessionKey.name(sessionKey));
    }

    @Override
    public void doubleVoted(MemberEvidence evidence) {
        log.error(
                "node {} signed twice, {} of epoch {}: both are kept in evidence/, for everybody to verify",
                evidence.member(),
                evidence.vote().subject(),
                evidence.vote().epoch().number());
    }

    @Override
    public void evidenceUnwritten(String fact) {
        log.error(
                "evidence cannot be written: {}; it is held in memory until evidence/ takes files again, and a restart"
                        + " loses it; the node goes on voting",
                fact);
    }

    @Override
    public void evidenceWritten(int lost) {
        if (lost == 0) {
            log.info("all evidence that waited for room in evidence/ is written");
        } else {
            log.error("evidence that waited for room in evidence/ is written, but for {} pieces, which are lost", lost);
        }
    }

    @Override
    public void headsRebuilt(long blockCount) {
        log.info("read {} blocks to find the heads of sessions: session-heads/ lacks them", blockCount);
    }

    @Override
    public void decoded(int batchCount) {
        metrics.decoded(batchCount);
    }

    @Override
    public void admitted(int orderCount) {
        metrics.admitted(orderCount);
    }

    @Override
    public void committed(int batchCount, long orderCount) {
        metrics.committed(batchCount, orderCount);
    }

    @Override
    public void blockDone(long sequence, BlockTimes times) {
        metrics.phases().handedOn(sequence, times, System.nanoTime(), clock.nanoTime());
    }

    @Override
    public void delivered(long receivedNs) {
        if (receivedNs != Payload.BEFORE_START) {
            metrics.delivered(System.nanoTime() - receivedNs);
        }
    }

    @Override
    public void ignored(Message message, IgnoreReason reason) {
        metrics.ignored(reason);
        if (reason.isFault()) {
            long count = ignoredFaults.get(reason).count(message.sender());
            if (count > 0) {
                log.warn(
                        "refused {} of node {}: {}, {} such messages so far",
                        message.getClass().getSimpleName(),
                        message.sender(),
                        reason,
                        count);
            }
        }
    }

    @Override
    public void viewEntered(long view, int primary) {
        metrics.viewEntered();
        log.info("view {}: primary is node {}", view, primary);
    }

    @Override
    public void isolated(Output.Isolated facts) {
        log.error(
                "ISOLATED at checkpoint {}: this node has {}, the others have {}; it does not vote any more",
                facts.sequence(),
                facts.own(),
                facts.agreed());
        isolationFile.ifPresent(file -> file.isolated(facts));
    }

    @Override
    public void isolationEnded(long checkpoint) {
        log.info("the isolation has ended: this node has the result of checkpoint {}; it votes again", checkpoint);
        isolationFile.ifPresent(IsolationFile::delete);
    }

    @Override
    public void fetched(int batchCount) {
        metrics.fetched(batchCount);
    }

    @Override
    public void transferStarted(long from, long to) {
        log.info("state transfer: from block {} to {}", from, to);
    }

    @Override
    public void transferReached(long sequence) {
        log.info("state transfer: reached block {}", sequence);
    }

    @Override
    public void transferred(int blockCount) {
        metrics.transferred(blockCount);
    }

    @Override
    public void transferRefused(int peer, long from, String fault) {
        metrics.transferRefused(peer);
        long count = transferFaults.count(peer);
        if (count > 0) {
            log.warn(
                    "state transfer: answer of node {} from block {} refused: {}, {} such answers so far",
                    peer,
                    from,
                    fault,
                    count);
        }
    }

    @Override
    public void certificateRefused(int peer, long sequence) {
        long count = certificateFaults.count(peer);
        if (count > 0) {
            log.warn(
                    "state transfer: certificate of block {} of node {} has no quorum, {} such certificates so far",
                    sequence,
                    peer,
                    count);
        }
    }

    @Override
    public void transferBroken(String fact) {
        long count = brokenChains.count(0);
        if (count > 0) {
            log.warn("state transfer: {}, {} chains given up so far", fact, count);
        }
    }

    @Override
    public void replicaLogLossAccepted(String fact) {
        log.error(
                "REPLICA LOG LOST: replica-log/ has no record, {}; this replica votes because of"
                        + " --accept-lost-replica-log and may contradict a vote that it gave",
                fact);
    }

    @Override
    public void payloadsRestored(int batchCount, List<String> damage) {
        log.info("payload log: {} batches wait for their block", batchCount);
        damage.forEach(fact -> log.error("payload log: {}; verify the disk; peers have the batches", fact));
    }

    @Override
    public void handedOver(long blockCount) {
        log.info("queue/blocks: handed over {} blocks that only the archive held", blockCount);
    }

    @Override
    public void blocksDamaged(List<Long> sequences) {
        log.error(
                "archive: the disk has changed blocks {}: they are not served, and fetched from peers; check the disk",
                sequences);
    }

    @Override
    public void certificatesDamaged(long after, long before) {
        log.error(
                "archive: the disk has changed certificates between blocks {} and {}: they are fetched from peers;"
                        + " check the disk",
                after,
                before);
    }

    @Override
    public void blockRepaired(long sequence, int peer) {
        metrics.blockRepaired();
        log.warn("archive: repaired block {}, which node {} sent; its damaged bytes are in damaged/", sequence, peer);
    }

    @Override
    public void certificatesRepaired(long after, long before, int count) {
        log.warn(
                "archive: repaired certificates between blocks {} and {}: peers had {}; the damaged log is in damaged/",
                after,
                before,
                count);
    }

    @Override
    public void repairRefused(int peer, long sequence, String fault) {
        metrics.repairRefused(peer);
        long count = repairFaults.count(peer);
        if (count > 0) {
            log.warn(
                    "archive: block {} of node {} refused for the repair: {}, {} such answers so far",
                    sequence,
                    peer,
                    fault,
                    count);
        }
    }

    @Override
    public void repairPostponed(long sequence, String why) {
        log.error(
                "archive: block {} cannot be repaired yet: {}; block-archive.jar repair does it while the node is"
                        + " stopped",
                sequence,
                why);
    }
}
