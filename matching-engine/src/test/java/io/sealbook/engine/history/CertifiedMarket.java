package io.sealbook.engine.history;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.Signers;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An engine that has executed 40 blocks, certified at blocks 16 and 32, with the archive that has the certificates. */
final class CertifiedMarket implements AutoCloseable {
    static final int BLOCKS = 40;
    /** More results of a broker than a leaf has. */
    static final int LARGE_BLOCK = 21;

    final GenesisFile genesis;
    final TestEngine engine;
    final BlockArchive archive;

    /** Executes in a directory of the test's. */
    CertifiedMarket(Path directory) throws Exception {
        genesis = TestMarket.write(directory.resolve("node"), 1);
        TestNode node = new TestNode(directory.resolve("node"), genesis.digest());
        TestFlow flow = TestFlow.signed(8);
        node.commitFlow(flow, 9, 6, 20);
        node.commit(
                flow.batch(20),
                TestAdministration.batch(1, TestAdministration.setInstrument(2, InstrumentStatus.INSTRUMENT_HALTED)));
        node.commitFlow(flow, 7, 6, 20);
        node.commit(TestAdministration.batch(
                2, TestAdministration.setBroker(4, BrokerStatus.BROKER_REMOVED), TestAdministration.addBroker(9)));
        node.commitFlow(flow, 1, 6, 20);
        node.commit();
        node.commit(
                many(flow, 1, 50_000, Side.BUY),
                many(flow, 1, 51_000, Side.BUY),
                many(flow, 2, 60_000, Side.SELL),
                many(flow, 2, 61_000, Side.SELL));
        node.commitFlow(flow, BLOCKS - 21, 6, 20);
        Map<String, String> settings =
                Map.of("sealbook.engine.directory", directory.resolve("node").toString());
        engine = new TestEngine(directory.resolve("node"), settings).await(BLOCKS);
        archive = BlockArchive.open(
                directory.resolve("certified"), new ArchiveConfig(genesis.digest(), 64, Durability.PROCESS));
        List<byte[]> blocks = node.blocks();
        List<BlockResult> results = node.results();
        for (int i = 0; i < BLOCKS; i++) {
            archive.append(blocks.get(i));
            if (i + 1 == 16 || i + 1 == 32) {
                archive.putCertificate(certificate(i + 1, results.get(i)));
            }
        }
    }

    @Override
    public void close() {
        archive.close();
        engine.close();
    }

    ResultProver prover() {
        return new ResultProver(archive, search(), engine.market.brokerIds(), engine.market.terms());
    }

    ReportSearch search() {
        return new ReportSearch(engine.reports, Long.MAX_VALUE);
    }

    /** Returns a batch of orders that trade with anything. */
    private static byte[] many(TestFlow flow, int broker, long firstClOrdId, Side side) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(Entry.limit(firstClOrdId + i, 100 * broker, 1, side, side == Side.BUY ? 99_000 : 1, 300));
        }
        return flow.batch(broker, entries);
    }

    private CheckpointCertificate certificate(long sequence, BlockResult result) {
        Digest hash = archive.lastHash();
        Digest digest = result.digest();
        byte[] signed = CheckpointCertificate.signedBytes(TestMarket.CHAIN_ID, sequence, hash, digest, Digest.ZERO);
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            signatures.add(new CertificateSignature(
                    node, Signers.of(TestAdministration.key(node)).sign(signed)));
        }
        return new CheckpointCertificate(sequence, hash, digest, Digest.ZERO, signatures);
    }
}
