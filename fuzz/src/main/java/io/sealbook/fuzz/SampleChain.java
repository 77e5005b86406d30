package io.sealbook.fuzz;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SetQuota;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** A small chain of four nodes and one broker whose bytes are the seeds. Its keys are no secret. */
final class SampleChain {
    static final long CHAIN_ID = 4711;
    static final int BROKER = 1;
    static final int BLOCKS_PER_SEGMENT = 4;
    static final long TIME_NS = 1_700_000_000_000_000_000L;

    private static final int NODES = 4;
    private static final int ACCOUNT = 1;
    private static final int INSTRUMENT = 1;
    private static final long VALID_UNTIL = 100;

    static final GenesisFile GENESIS = GenesisFile.parse(genesisJson());
    static final List<SealedBatch> BATCHES = batches();
    static final byte[] TRANSACTION = transaction();

    private SampleChain() {}

    /** Returns the key of a node, or of the broker under the number after them. */
    static SigningKey key(int index) {
        byte[] scalar = new byte[32];
        scalar[31] = (byte) (index + 1);
        return SigningKey.of(SignatureScheme.SM2_SM3, scalar);
    }

    static SigningKey brokerKey() {
        return key(NODES);
    }

    static List<VerificationKey> identities() {
        return IntStream.range(0, NODES).mapToObj(i -> key(i).verificationKey()).toList();
    }

    static byte[] genesisJson() {
        Genesis.Builder genesis = Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(Parameters.newBuilder()
                        .setBlocksPerSegment(BLOCKS_PER_SEGMENT)
                        .setSessionsPerBroker(2)
                        .setLiveOrderCountMax(1_000))
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(BROKER)
                        .setName("broker")
                        .addAccounts(AccountRange.newBuilder().setFirst(ACCOUNT).setLast(9))
                        .addKeys(BrokerKey.newBuilder().setKey(publicKey(brokerKey()))))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(INSTRUMENT)
                        .setSymbol("ABC")
                        .setPriceMin(1)
                        .setPriceMax(200)
                        .setQuantityMax(1_000));
        for (int i = 0; i < NODES; i++) {
            genesis.addNodes(Node.newBuilder()
                    .setNodeId(i)
                    .setName("node" + i)
                    .setIdentity(publicKey(key(i)))
                    .setHost("127.0.0.1")
                    .setVotePort(7_100 + 10 * i)
                    .setPayloadPort(7_101 + 10 * i)
                    .setGatewayPort(7_102 + 10 * i)
                    .setEnginePort(7_103 + 10 * i));
        }
        return GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8);
    }

    static PublicKey publicKey(SigningKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
    }

    private static List<SealedBatch> batches() {
        BatchSealer sealer = new BatchSealer(CHAIN_ID, BROKER, 0, brokerKey().signer(), 16, BatchPosition.first(0));
        return sealer.sealAll(
                List.of(
                        List.of(
                                Order.limit(1, ACCOUNT, INSTRUMENT, Side.BUY, 100, 10),
                                Order.limit(2, ACCOUNT, INSTRUMENT, Side.SELL, 99, 4)),
                        List.of(
                                Order.replace(3, 1, ACCOUNT, INSTRUMENT, Side.BUY, 101, 8),
                                Order.market(4, ACCOUNT, INSTRUMENT, Side.SELL, 3),
                                Order.cancel(5, 77, ACCOUNT, INSTRUMENT, Side.BUY)),
                        List.of(
                                Order.limit(6, ACCOUNT, INSTRUMENT, Side.SELL, 150, 5),
                                Order.cancelAfter(7, 100),
                                Order.cancel(8, 3, ACCOUNT, INSTRUMENT, Side.BUY))),
                VALID_UNTIL,
                TIME_NS);
    }

    static byte[] batch(int index) {
        return BATCHES.get(index).signedBytes().clone();
    }

    static Digest batchId(int index) {
        return BatchId.of(batch(index));
    }

    private static byte[] transaction() {
        AdministrativeTerms terms = AdministrativeTerms.newBuilder()
                .setChainId(CHAIN_ID)
                .setNumber(1)
                .setReason("a larger quota")
                .addChanges(Change.newBuilder()
                        .setSetQuota(SetQuota.newBuilder().setBrokerId(BROKER).setLiveOrderCountMax(500)))
                .build();
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(terms.toByteString())
                .build();
        for (int node = 0; node < 3; node++) {
            transaction = ApprovedTerms.approve(transaction, node, key(node).signer());
        }
        return transaction.toByteArray();
    }

    /** Returns the transaction in a batch of node 1, signed. */
    static byte[] administrativeBatch() {
        byte[] batch = AdministrativeBatch.unsigned(
                CHAIN_ID, BatchPosition.first(1), key(1).scheme().code(), TIME_NS, TRANSACTION);
        byte[] signature = key(1).signer().sign(AdministrativeBatch.signedRegion(batch));
        System.arraycopy(signature, 0, batch, batch.length - signature.length, signature.length);
        return batch;
    }

    /** Returns the blocks of the chain: one for each batch, then an administrative and an empty one. */
    static List<Block> blocks() {
        BlockBuilder builder = new BlockBuilder();
        Block first = block(builder, 1, GENESIS.digest(), 0, batch(0));
        Block second = block(builder, 2, first.hash(), 0, batch(1), batch(2));
        Block third = block(builder, 3, second.hash(), 0, administrativeBatch());
        return List.of(first, second, third, block(builder, 4, third.hash(), 3));
    }

    private static Block block(
            BlockBuilder builder, long sequence, Digest previous, long administration, byte[]... batches) {
        builder.begin(
                sequence, 0, TIME_NS + sequence, Digest.sha256(new byte[] {(byte) sequence}), previous, administration);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), TIME_NS + sequence, batch, 0, batch.length);
        }
        return builder.buildBlock();
    }

    /** Returns the certificate of a block, signed by three nodes. */
    static CheckpointCertificate certificate(Block block) {
        return certificate(block, Digest.sha256(new byte[] {9}));
    }

    /** Returns the certificate of a block with a result digest. */
    static CheckpointCertificate certificate(Block block, Digest result) {
        Digest proposal = block.header().proposalDigest();
        byte[] signed =
                CheckpointCertificate.signedBytes(CHAIN_ID, block.header().sequence(), block.hash(), result, proposal);
        List<CertificateSignature> signatures = IntStream.range(0, 3)
                .mapToObj(i -> new CertificateSignature(i, key(i).signer().sign(signed)))
                .toList();
        return new CheckpointCertificate(block.header().sequence(), block.hash(), result, proposal, signatures);
    }
}
