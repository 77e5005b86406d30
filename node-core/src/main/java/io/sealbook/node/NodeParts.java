package io.sealbook.node;

import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.repair.ArchiveRepair;
import io.sealbook.node.repair.RepairJudge;
import io.sealbook.node.restart.EpochRecords;
import io.sealbook.node.restart.HeadsAtStart;
import io.sealbook.node.restart.StartUp;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.transfer.BlockChecks;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.BlockSignatures;
import io.sealbook.node.transfer.CertificateChecker;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.ArrayList;
import java.util.List;

/** Makes the parts that a {@link NodeCore} puts together. A test of a checker makes one of them wrong. */
class NodeParts {
    final NodeSetup setup;
    final NodeFiles files;
    final NodePorts ports;

    NodeParts(NodeSetup setup, NodeFiles files, NodePorts ports) {
        this.setup = setup;
        this.files = files;
        this.ports = ports;
    }

    PayloadStore payloads(AgreementEpoch epoch) {
        return new PayloadStore(setup.payloadStoreBytesMax(), epoch.nodeCount(), setup.seat(epoch));
    }

    Sessions sessions() {
        return new Sessions();
    }

    void restoreHeads(Sessions sessions) {
        new HeadsAtStart(files.archive(), files.sessionHeads()).restore(sessions, ports.events());
    }

    List<Input.BatchAvailable> restorePayloads(PayloadStore payloads, Sessions sessions) {
        return StartUp.restorePayloads(files.payloadLog(), payloads, sessions, ports.events());
    }

    EpochRecords epochRecords() {
        return new EpochRecords(files.replicaLog(), files.voteMark(), setup.durability());
    }

    /** Returns the membership as the archive leaves it. */
    ChainMembership membership() {
        ChainMembership membership = new ChainMembership(setup.genesis().genesis(), ports.events()::administered);
        membership.restore(files.archive(), epochRecords().certificates());
        return membership;
    }

    HeaderDecoding decoding() {
        return new HeaderDecoding(setup.decoding(), ports.events()::decoded);
    }

    CommittedBlocks blocks() {
        return new CommittedBlocks(files.archive(), decoding(), setup.hashSeed());
    }

    StartUp.Window window(Sessions sessions, CommittedBlocks blocks) {
        return StartUp.readWindow(files.archive(), setup.windowBlocks(), sessions, blocks);
    }

    Spreading spreading(PayloadStore payloads, AgreementEpoch epoch) {
        return new Spreading(
                setup.seat(epoch),
                epoch.nodeCount(),
                setup.payloadRoute(),
                payloads,
                ports.peers(),
                ports.events(),
                setup.hashSeed());
    }

    CertificateChecker certificates(AgreementEpoch epoch) {
        return new CertificateChecker(epoch.terms(), setup.verifier());
    }

    BlockSignatures blockSignatures(PayloadStore payloads) {
        return new BlockSignatures(setup.verifier(), payloads, decoding());
    }

    /** Returns checks that run in the background; their verdict is a task of the committer. */
    BlockChecks blockChecks(PayloadStore payloads) {
        BlockSignatures signatures = blockSignatures(payloads);
        return (received, membership) ->
                ports.background().run(() -> new CommitTask.BlocksChecked(signatures.check(received, membership)));
    }

    Replica newReplica(AgreementEpoch epoch) {
        return new Replica(setup.replica(epoch), setup.signer());
    }

    RepairJudge repairJudge() {
        return new RepairJudge(files.archive(), setup.genesis().genesis(), setup.verifier());
    }

    /** Returns the repair of the archive, whose judge works in the background; requests ask peers for blocks. */
    ArchiveRepair repair(AgreementEpoch epoch, BlockRequests requests) {
        RepairJudge judge = repairJudge();
        return new ArchiveRepair(
                files.archive().health(),
                requests,
                answer -> ports.background().run(() -> new CommitTask.RepairJudged(judge.judge(answer))),
                Quorum.of(epoch.nodeCount()).oneCorrect(),
                ports.events());
    }

    Committer committer(CommitContext context, StateTransfer transfer, ArchiveRepair repair) {
        return new Committer(context, transfer, repair);
    }

    List<ReplicaRecord> records() {
        return files.replicaLog().records();
    }

    private static List<SessionEnd> ends(Sessions sessions) {
        return sessions.heads().stream()
                .filter(head -> head.delivered() != 0)
                .map(head -> new SessionEnd(head.sessionKey(), head.delivered(), head.deliveredId()))
                .toList();
    }

    /** Returns the replica as its log and the archive leave it. */
    Replica restoredReplica(StartUp.Window window, Sessions sessions, ChainMembership membership) {
        Replica replica = newReplica(membership.epoch());
        replica.restore(
                records(),
                files.archive().lastSequence(),
                sequence -> StartUp.block(files.archive(), sequence).hash(),
                ends(sessions));
        List<Output> outputs = new ArrayList<>();
        for (Input.BlockTransferred block : window.transferred()) {
            replica.step(block, outputs);
        }
        if (membership.epochEnd() > 0) {
            replica.step(new Input.AdministrationExecuted(membership.epochEnd(), true), outputs);
        }
        if (!outputs.isEmpty()) {
            throw new BrokenInvariantException("replica has outputs before its start: " + outputs);
        }
        return replica;
    }
}
