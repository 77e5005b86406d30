package io.sealbook.node;

import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.repair.ArchiveRepair;
import io.sealbook.node.repair.RepairJudge;
import io.sealbook.node.restart.EpochRecords;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.pbft.Quorum;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The decisions of a start whose blocks are damaged: which blocks it needs, and their repair from peers before the node
 * takes part. Until then it votes for nothing and answers requests for blocks only. One thread.
 */
public final class StartRepairCore {
    private final NodeSetup setup;
    private final NodeFiles files;
    private final NodeEvents events;
    private final BlocksAtStart needed;
    private final RepairJudge judge;
    private final PeerServer server;
    private ChainMembership membership;
    private ArchiveRepair repair;

    /**
     * @param setup of the node
     * @param files of the node
     * @param sink where blocks are handed on
     * @param events counted and logged
     */
    public StartRepairCore(NodeSetup setup, NodeFiles files, BlockSink sink, NodeEvents events) {
        this.setup = setup;
        this.files = files;
        this.events = events;
        needed = new BlocksAtStart(setup, files, sink);
        judge = new RepairJudge(files.archive(), setup.genesis().genesis(), setup.verifier());
        HeaderDecoding decoding = new HeaderDecoding(setup.decoding(), count -> {});
        server = new PeerServer(
                new PayloadStore(setup.payloadStoreBytesMax(), 1, 0),
                new CommittedBlocks(files.archive(), decoding, setup.hashSeed()),
                files.archive());
    }

    /** Reads the blocks that the start needs; returns whether all are whole, and there is nothing to repair. */
    public boolean areBlocksWhole() {
        return needed.areWhole();
    }

    /**
     * Returns the epoch in which the other members are found.
     *
     * @throws io.sealbook.archive.BlockDamagedException if a block that names them is damaged
     */
    public AgreementEpoch epoch() {
        if (membership == null) {
            membership = new ChainMembership(setup.genesis().genesis(), fate -> {});
            EpochRecords records = new EpochRecords(files.replicaLog(), files.voteMark(), setup.durability());
            membership.restore(files.archive(), records.certificates());
        }
        return membership.epoch();
    }

    /** Returns the membership as the archive leaves it; {@link #epoch} was called. */
    public ChainMembership membership() {
        return membership;
    }

    /**
     * Begins.
     *
     * @param requests asks peers
     * @param judging has {@link #onJudged} called later with the answer that it is given
     */
    public void begin(BlockRequests requests, Consumer<RepairAnswer> judging) {
        repair = new ArchiveRepair(
                files.archive().health(),
                requests,
                judging,
                Quorum.of(epoch().nodeCount()).oneCorrect(),
                events);
    }

    /** Returns whether all blocks that the start needs are whole. */
    public boolean isDone() {
        return needed.damaged().isEmpty();
    }

    /** Returns the blocks that the start needs and that are damaged, ascending. */
    public List<Long> damaged() {
        return needed.damaged();
    }

    /** Returns the interval in which {@link #onTick} must be called. */
    public long tickIntervalNs() {
        return repair.tickIntervalNs();
    }

    /**
     * Asks for what is damaged.
     *
     * @param nowNs monotonic clock
     */
    public void onTick(long nowNs) {
        repair.onTick(nowNs);
    }

    /**
     * Takes blocks that a peer sent.
     *
     * @param source member that sent them
     * @param from first sequence of its blocks
     * @param blocks not checked
     * @param certificate the certificate that came with them; null if none did
     * @param nowNs monotonic clock
     */
    public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificate, long nowNs) {
        repair.onBlocks(source, from, blocks, certificate, nowNs);
    }

    /**
     * Judges an answer, and goes on.
     *
     * @param answer that was to be judged
     * @param nowNs monotonic clock
     */
    public void onJudged(RepairAnswer answer, long nowNs) {
        repair.onJudged(judge.judge(answer), nowNs);
    }

    /**
     * Returns blocks for a peer, as a node does.
     *
     * @param from sequence of the first block
     * @param count number of blocks requested
     */
    public Optional<PeerServer.BlockAnswer> blocks(long from, int count) {
        return server.blocks(from, count);
    }
}
