package io.sealbook.fuzz;

import io.sealbook.archive.Block;
import io.sealbook.client.FileCheckpointer;
import io.sealbook.client.OutboxException;
import io.sealbook.client.Receipt;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.client.proof.ProofJudge;
import io.sealbook.client.proof.ProvenMembers;
import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.protocol.report.ReportWords;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.result.ReportRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes of engines in a broker's program, and its files. */
final class ClientDecoders {
    private static final String OUTBOX = String.format("batches-%019d", 1);
    private static final String CHECKPOINT = "checkpoint";
    private static final Receipt RECEIPT = receipt();

    private ClientDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder(
                        "report-run",
                        SampleExecution::runs,
                        Promises.refuses(IllegalArgumentException.class, ClientDecoders::run)),
                new Decoder(
                        "execution-report",
                        SampleExecution::messages,
                        Promises.refuses(IllegalArgumentException.class, ClientDecoders::report)),
                new Decoder(
                        "client-proof",
                        () -> List.of(proof()),
                        Promises.refuses(IllegalArgumentException.class, ClientDecoders::judge)),
                new Decoder(
                        "client-membership-proof",
                        () -> List.of(ArchiveDecoders.membershipProof()),
                        Promises.refuses(
                                IllegalArgumentException.class, new MembershipJudge(SampleChain.GENESIS)::judge)),
                new Decoder("outbox", () -> List.of(outboxFile()), ClientDecoders::outbox),
                new Decoder("checkpoint", () -> List.of(checkpointFile()), ClientDecoders::checkpoint));
    }

    /** Each report that a run yields is one that a program is handed. */
    private static Object run(byte[] bytes) {
        ReportMaker maker = new ReportMaker();
        ReportRun.Header header = maker.begin(bytes, 0, bytes.length);
        byte[] message = new byte[ReportWords.LENGTH];
        ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        long sequence = header.first();
        while (maker.hasNext()) {
            maker.next();
            maker.get(message, 0);
            Promises.require(ExecutionReportDecoder.length(buffer, 0) == message.length, "another length");
            Promises.require(
                    ExecutionReportDecoder.decode(buffer, 0).reportSequence() == sequence++, "another sequence");
        }
        return header;
    }

    private static Object report(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at < bytes.length) {
            int length = ExecutionReportDecoder.length(buffer, at);
            ExecutionReportDecoder.decode(buffer, at);
            at += length;
        }
        return at;
    }

    /** Returns a proof of the first batch that a program believes. */
    private static byte[] proof() {
        byte[] proof = ArchiveDecoders.inclusionProofs().getFirst();
        judge(proof);
        return proof;
    }

    private static Object judge(byte[] bytes) {
        return new ProofJudge(SampleChain.GENESIS)
                .judge(bytes, RECEIPT, ProvenMembers.of(SampleChain.GENESIS.genesis()));
    }

    private static Receipt receipt() {
        Block block = SampleChain.blocks().getFirst();
        return new Receipt(
                block.batchId(0).bytes(),
                1,
                0,
                block.header().blockTimeNs(),
                block.hash().bytes(),
                2);
    }

    private static byte[] outboxFile() {
        byte[][] parts = new byte[1 + SampleChain.BATCHES.size()][];
        parts[0] = "SBOUTB02".getBytes(StandardCharsets.US_ASCII);
        long confirmed = parts[0].length;
        for (int i = 1; i < parts.length; i++) {
            byte[] batch = SampleChain.batch(i - 1);
            byte[] record = Sealing.joined(new byte[16], batch);
            Sealing.littleEndian(record).putInt(0, batch.length).putLong(8, confirmed);
            parts[i] = Sealing.crc(record, 4, 8, record.length);
            confirmed += record.length;
        }
        return Sealing.joined(parts);
    }

    /** The first batch's checksum is right. */
    private static void outbox(byte[] bytes) {
        byte[] sealed = bytes;
        if (bytes.length >= 24) {
            sealed = Sealing.crc(
                    bytes, 12, 16, 24 + Math.max(0, Sealing.littleEndian(bytes).getInt(8)));
        }
        MemoryFiles files = MemoryFiles.with(OUTBOX, sealed);
        try (BrokerOutbox outbox = BrokerOutbox.open(files.directory(), SampleChain.CHAIN_ID, SampleChain.BROKER)) {
            outbox.next();
            outbox.kept()
                    .forEach(batch -> new BatchView().wrap(batch.signedBytes()).position());
        } catch (OutboxException e) {
            // Damaged, or another broker's.
        }
    }

    private static byte[] checkpointFile() {
        MemoryFiles files = MemoryFiles.with("other", new byte[0]);
        try (FileCheckpointer checkpoint = FileCheckpointer.open(files.file(CHECKPOINT))) {
            checkpoint.bind(SampleChain.GENESIS.digest(), SampleChain.BROKER);
            checkpoint.handled(11);
            checkpoint.handled(12);
        }
        return files.get(CHECKPOINT);
    }

    private static void checkpoint(byte[] bytes) throws IOException {
        MemoryFiles files = MemoryFiles.with(CHECKPOINT, bytes);
        try (FileCheckpointer checkpoint = FileCheckpointer.open(files.file(CHECKPOINT))) {
            checkpoint.bind(SampleChain.GENESIS.digest(), SampleChain.BROKER);
            Promises.require(checkpoint.lastHandled() >= 0, "report " + checkpoint.lastHandled() + " was handled");
        } catch (IllegalArgumentException | UncheckedIOException e) {
            // Another broker's.
        }
    }
}
