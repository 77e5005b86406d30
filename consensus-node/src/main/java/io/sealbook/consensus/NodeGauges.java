package io.sealbook.consensus;

import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.admin.AdminServer;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.gateway.ArchiveReadMeters;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.ProvenFaulty;
import io.sealbook.consensus.status.StatusReport;
import io.sealbook.node.NodeCore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.repair.Scrub;
import io.sealbook.peer.PeerTransport;
import java.util.Optional;

/**
 * The gauges that read a node's parts at each scrape. Each answers an operator's question.
 *
 * @param metrics to which they are added
 */
record NodeGauges(NodeMetrics metrics) {
    NodeGauges archive(BlockArchive archive) {
        metrics.gauge(
                "archive.torn.bytes",
                "How many bytes did the last start cut off the archive?",
                () -> archive.recovery().tornBytes());
        metrics.gauge(
                "archive.damaged.blocks",
                "How many archived blocks has the disk changed that are not repaired yet?",
                archive.health()::damagedBlockCount);
        metrics.gauge(
                "archive.damaged.certificates",
                "In how many places of their log has the disk changed certificates?",
                () -> archive.health().certificateGaps().size());
        return this;
    }

    /** Adds how far the archive is read for damage; nothing if it is not. */
    NodeGauges scrub(Optional<Scrub> scrub) {
        scrub.ifPresent(each -> {
            metrics.gauge("archive.scrub.passes", "How often was the whole archive read?", each::passCount);
            metrics.gauge("archive.scrub.blocks", "How many blocks were read for damage?", each::blockCount);
        });
        return this;
    }

    NodeGauges laboratory(boolean isLaboratory) {
        metrics.gauge(
                "laboratory", "Is it a node of experiments (1) or of production (0)?", () -> isLaboratory ? 1 : 0);
        return this;
    }

    NodeGauges readiness(StatusReport report) {
        metrics.gauge(
                "ready",
                "Does it take batches, see a quorum, and do engines keep up (1) or not (0)?",
                () -> report.readiness().isReady() ? 1 : 0);
        return this;
    }

    /**
     * Adds the lengths of the queues between threads.
     *
     * @param ingress brokers' and peers' batches
     * @param inbox inputs of agreement
     * @param commits tasks of the committer
     */
    NodeGauges queues(Ingress ingress, AgentInbox inbox, CommitQueue commits) {
        metrics.gauge("ring.depth", "How many batches wait for their verdict?", ingress::depth);
        metrics.gauge("inbox.depth", "How many inputs wait for agreement?", inbox::depth);
        metrics.gauge("commit.depth", "How many tasks wait for the committer?", commits::depth);
        return this;
    }

    /**
     * Adds what batches occupy until their block.
     *
     * @param core holds them in memory
     * @param payloadLog holds them on the disk
     * @param provenFaulty members by the files of evidence
     */
    NodeGauges payloads(NodeCore core, PayloadLog payloadLog, ProvenFaulty provenFaulty) {
        metrics.gauge("payload.count", "How many batches wait for their block?", core.payloads()::count);
        metrics.gauge("payload.bytes", "How many bytes do they take?", core.payloads()::bytes);
        metrics.gauge("payload.log.bytes", "How many bytes of the disk does the payload log take?", payloadLog::length);
        metrics.gauge("session.count", "How many sessions of brokers have had a batch?", core.sessions()::count);
        metrics.gauge(
                "session.suspended",
                "How many sessions are suspended, because their broker signed two batches under one number?",
                core.sessions()::suspendedCount);
        metrics.gauge(
                "evidence.members",
                "How many members have signed two votes that exclude each other, by what is kept in evidence/?",
                () -> provenFaulty.get().size());
        metrics.gauge(
                "membership.number",
                "How many administrative transactions were executed?",
                () -> core.membership().membership().number());
        metrics.gauge(
                "epoch",
                "In which epoch of agreement is it?",
                () -> core.membership().epoch().number());
        return this;
    }

    /**
     * Adds the connections of operators, brokers, readers and members.
     *
     * @param admin operators
     * @param brokers streams of receipts and blocks, and of followers on other machines
     * @param transport members
     */
    void connections(AdminServer admin, BrokerSide brokers, PeerTransport transport) {
        metrics.gauge("admin.connections", "How many connections does the admin port have?", admin::connectionCount);
        metrics.gauge(
                "gateway.connections",
                "How many connections do brokers and readers hold?",
                brokers.gateway::connectionCount);
        metrics.gauge("followers", "How many follow receipts or blocks?", brokers.followers::count);
        metrics.gauge("feed.streams", "How many follow from other machines?", brokers.feedFollowers::count);
        metrics.gauge(
                "unread.bytes",
                "How many bytes wait in memory until readers of receipts and blocks take them?",
                () -> brokers.followers.unreadBytes() + brokers.feedFollowers.unreadBytes());
        ArchiveReadMeters.register(metrics.registry(), NodeMetrics.PREFIX, "receipts", brokers.followers);
        ArchiveReadMeters.register(metrics.registry(), NodeMetrics.PREFIX, "feed", brokers.feedFollowers);
        metrics.gauge(
                "connected.peers",
                "How many members are connected?",
                () -> transport.connected().size());
    }
}
