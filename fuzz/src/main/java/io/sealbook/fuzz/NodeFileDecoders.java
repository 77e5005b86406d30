package io.sealbook.fuzz;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.ReplicaLogContents;
import io.sealbook.node.replicalog.ReplicaLogDamageException;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Files of a node besides its archive, and what the queues between node and engine hold. */
final class NodeFileDecoders {
    private static final String REPLICA_LOG = "0000000000000001.segment";
    private static final String PAYLOAD_LOG = "0000000000000001.payloads";
    private static final int SEGMENT_LENGTH = 8 << 10;

    private NodeFileDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder("replica-log", NodeFileDecoders::replicaLogs, NodeFileDecoders::replicaLog),
                new Decoder("payload-log", NodeFileDecoders::payloadLogs, NodeFileDecoders::payloadLog),
                new Decoder("session-heads", NodeFileDecoders::sessionHeads, NodeFileDecoders::sessionHeads),
                new Decoder("evidence", NodeFileDecoders::evidence, NodeFileDecoders::evidence),
                new Decoder("member-evidence", NodeFileDecoders::memberEvidence, NodeFileDecoders::memberEvidence),
                new Decoder(
                        "block-result",
                        NodeFileDecoders::results,
                        bytes -> Promises.canonical(
                                        IllegalArgumentException.class, BlockResult::decode, BlockResult::encode)
                                .check(Sealing.crc(bytes, 4, 8, BlockResult.LENGTH))),
                new Decoder("handed-block", NodeFileDecoders::handedBlocks, NodeFileDecoders::handedBlock));
    }

    private static List<byte[]> replicaLogs() {
        MemoryFiles files = new MemoryFiles();
        try (ReplicaLog log = ReplicaLog.open(files.storage(), Durability.PROCESS, SEGMENT_LENGTH)) {
            SampleMessages.records().forEach(log::append);
            log.sync();
        }
        return List.of(files.get(REPLICA_LOG));
    }

    private static void replicaLog(byte[] bytes) {
        boolean isSound = false;
        try {
            ReplicaLogContents.of(REPLICA_LOG, ByteBuffer.wrap(bytes.clone()));
            isSound = true;
        } catch (ReplicaLogDamageException e) {
            // Named.
        }
        MemoryFiles files = MemoryFiles.with(REPLICA_LOG, bytes);
        try (ReplicaLog log = ReplicaLog.open(files.storage(), Durability.PROCESS, SEGMENT_LENGTH)) {
            log.records();
            Promises.require(isSound, "a node takes a log that its operator's tool calls damaged");
        } catch (ReplicaLogDamageException e) {
            Promises.require(!isSound, "a node refuses a log that its operator's tool calls sound: " + e);
        }
    }

    private static Payload payload(int index) {
        byte[] batch = SampleChain.batch(index);
        BatchView view = new BatchView().wrap(batch);
        return new Payload(
                SampleChain.batchId(index),
                batch,
                view.brokerId(),
                view.position(),
                view.validUntilBlock(),
                view.orderCount(),
                1,
                SampleChain.TIME_NS,
                Payload.BEFORE_START);
    }

    private static List<byte[]> payloadLogs() {
        MemoryFiles files = new MemoryFiles();
        try (PayloadLog log = PayloadLog.open(files.storage(), Durability.PROCESS, SEGMENT_LENGTH)) {
            for (int i = 0; i < SampleChain.BATCHES.size(); i++) {
                log.append(payload(i));
                log.flush();
            }
        }
        return List.of(files.get(PAYLOAD_LOG));
    }

    /** Damage is named; what is read is a batch under its id. */
    private static void payloadLog(byte[] bytes) {
        MemoryFiles files = MemoryFiles.with(PAYLOAD_LOG, bytes);
        try (PayloadLog log = PayloadLog.open(files.storage(), Durability.PROCESS, SEGMENT_LENGTH)) {
            log.damage();
            log.payloads();
        }
    }

    private static List<byte[]> sessionHeads() {
        MemoryFiles files = MemoryFiles.with("other", new byte[0]);
        try (SessionHeads heads = SessionHeads.open(files.storage())) {
            heads.write(new SessionHeads.AtBlock(
                    2, Digest.ZERO, List.of(new SessionHeads.Delivered(1L << 16, 3, SampleChain.batchId(2)))));
        }
        return List.of(files.get(SessionHeads.FILE));
    }

    private static void sessionHeads(byte[] bytes) {
        MemoryFiles files = MemoryFiles.with(SessionHeads.FILE, Sealing.shaAtEnd(bytes));
        try (SessionHeads heads = SessionHeads.open(files.storage())) {
            Optional<SessionHeads.AtBlock> read = heads.read();
            if (read.isPresent()) {
                heads.write(read.get());
                Promises.requireSame(Sealing.shaAtEnd(bytes), files.get(SessionHeads.FILE));
            }
        }
    }

    private static List<byte[]> evidence() {
        byte[] other = SampleChain.batch(0);
        other[32] ^= 1;
        Equivocation equivocation = Equivocation.of(SampleChain.batch(0), other).orElseThrow();
        MemoryFiles files = MemoryFiles.with("other", new byte[0]);
        try (EvidenceStore store = EvidenceStore.open(files.storage())) {
            store.add(equivocation);
        }
        return List.of(files.get(evidenceName(equivocation.sessionKey())));
    }

    private static String evidenceName(long sessionKey) {
        return EvidenceStore.PREFIX + SessionKey.brokerId(sessionKey) + "-" + SessionKey.session(sessionKey);
    }

    /** Bytes are no evidence, or two signed batches of one session. */
    private static void evidence(byte[] bytes) {
        Equivocation found = EvidenceStore.decode(Sealing.shaAtEnd(bytes));
        if (found != null) {
            Promises.require(
                    new BatchView().wrap(found.first()).sessionKey()
                            == new BatchView().wrap(found.second()).sessionKey(),
                    "evidence of two sessions");
        }
    }

    /** Of each kind: PRE-PREPARE and PREPARE, CHECKPOINT, NEW-VIEW. */
    private static List<byte[]> memberEvidence() {
        Digest other = SampleChain.batchId(1);
        Epoch epoch = new Epoch(7, 2);
        byte[][][] statements = {
            {
                PrePrepare.signedBytes(epoch, 4, 9, Digest.ZERO, 1), Prepare.signedBytes(epoch, 4, 9, other, 1),
            },
            {
                Checkpoint.signedBytes(7, 16, Digest.ZERO, Digest.ZERO, Digest.ZERO),
                Checkpoint.signedBytes(7, 16, Digest.ZERO, Digest.ZERO, other),
            },
            {
                NewView.signedBytes(epoch, 5, List.of(), List.of(), 1),
                NewView.signedBytes(epoch, 5, List.of(), List.of(SampleMessages.PRE_PREPARE), 1),
            },
        };
        Signature signature = Signature.of(new byte[65]);
        return Arrays.stream(statements)
                .map(two -> DoubleVote.of(1, epoch, two[0], signature, two[1], signature)
                        .orElseThrow())
                .map(vote -> new MemberEvidence(3, vote).encode())
                .toList();
    }

    /** Bytes are no evidence, or two statements about one subject that have one form. */
    private static void memberEvidence(byte[] bytes) {
        byte[] sealed = Sealing.shaAtEnd(bytes);
        MemberEvidence found = MemberEvidence.decode(sealed);
        if (found != null) {
            Promises.requireSame(sealed, found.encode());
            Promises.require(!Arrays.equals(found.vote().first(), found.vote().second()), "one statement twice");
            Promises.require(!found.vote().subject().isEmpty(), "evidence of nothing");
        }
    }

    private static List<byte[]> results() {
        return List.of(new BlockResult(7, SampleChain.batchId(0), SampleChain.TIME_NS, 5, 2).encode());
    }

    private static List<byte[]> handedBlocks() {
        Block block = SampleChain.blocks().get(1);
        CRC32C crc = new CRC32C();
        crc.update(block.bytes());
        BlockLocation location = new BlockLocation(2, block.hash(), 1, 900, block.length(), (int) crc.getValue());
        return List.of(
                HandedBlock.place(location).encode(), new HandedBlock(location, Optional.of(block.bytes())).encode());
    }

    private static void handedBlock(byte[] bytes) throws Throwable {
        byte[] sealed = bytes.clone();
        if (sealed.length >= BlockLocation.LENGTH) {
            Sealing.littleEndian(sealed).putInt(36, 0);
            sealed = Sealing.crc(sealed, 36, 0, BlockLocation.LENGTH);
        }
        Promises.canonical(IllegalArgumentException.class, HandedBlock::decode, HandedBlock::encode)
                .check(sealed);
    }
}
