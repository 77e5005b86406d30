package io.sealbook.archive.administration;

import com.google.protobuf.ByteString;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SigningKey;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AddNode;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RemoveNode;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A chain that a test grows block by block: four nodes, brokers 1 and 2 with key 1 each, and instrument 1. All keys
 * follow from a seed.
 */
public final class ChangingChain {
    public static final long CHAIN_ID = 77;
    public static final int BLOCKS_PER_SEGMENT = 64;

    private final Random random;
    private final long chainId;
    private final List<Signer> nodes = new ArrayList<>();
    /** How many identity keys a node had before, if it had one. */
    private final Map<Integer, Integer> formerKeys = new HashMap<>();

    private final List<Signer> brokers = new ArrayList<>();
    private final byte[] genesisJson;
    private final List<byte[]> blocks = new ArrayList<>();
    private final List<CheckpointCertificate> certificates = new ArrayList<>();
    private long batchNumber;

    /**
     * Makes the chain of a genesis file.
     *
     * @param genesisJson bytes of the file
     * @param nodes the keys of its four nodes
     */
    public ChangingChain(byte[] genesisJson, List<Signer> nodes) {
        this.genesisJson = genesisJson.clone();
        this.nodes.addAll(nodes);
        chainId = genesis().getChainId();
        random = new Random(chainId);
    }

    public ChangingChain(long seed) {
        random = new Random(seed);
        chainId = CHAIN_ID;
        Genesis.Builder genesis = Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(Parameters.newBuilder().setLiveOrderCountMax(1_000));
        for (int node = 0; node < 4; node++) {
            nodes.add(newKey());
            genesis.addNodes(Node.newBuilder().setNodeId(node).setIdentity(publicKey(nodes.get(node))));
        }
        for (int broker = 1; broker <= 2; broker++) {
            brokers.add(newKey());
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(broker)
                    .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(publicKey(brokers.get(broker - 1))))
                    .addAccounts(AccountRange.newBuilder().setFirst(broker))
                    .setLiveOrderCountMax(400));
        }
        genesis.addInstruments(Instrument.newBuilder()
                .setInstrumentId(1)
                .setPriceMin(1)
                .setPriceMax(1_000)
                .setQuantityMax(1_000));
        genesisJson = GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8);
    }

    public byte[] genesisJson() {
        return genesisJson.clone();
    }

    public GenesisFile genesisFile() {
        return GenesisFile.parse(genesisJson);
    }

    public Genesis genesis() {
        return genesisFile().genesis();
    }

    /** Returns a key that nobody has yet. */
    public Signer newKey() {
        byte[] scalar = bytes(32);
        scalar[0] &= 0x7f;
        return SigningKey.of(
                        random.nextBoolean() ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256, scalar)
                .signer();
    }

    /** Returns another key of the scheme of a node's identity key. */
    public Signer newKeyOfTheSchemeOf(int node) {
        Signer key = newKey();
        while (key.scheme() != nodes.get(node).scheme()) {
            key = newKey();
        }
        return key;
    }

    private static PublicKey publicKey(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }

    /** Returns a key as {@code verify} and {@code members} print it. */
    public static String fingerprint(Signer key) {
        return ChangeText.key(publicKey(key));
    }

    /** From now on a node signs blocks and transactions with another key. */
    public void changeIdentity(int node, Signer key) {
        nodes.set(node, key);
        formerKeys.merge(node, 1, Integer::sum);
    }

    /** Returns a batch of one order under the broker's first key. */
    public byte[] orders(int brokerId) {
        return orders(brokerId, 1, brokers.get(brokerId - 1));
    }

    /** Returns a batch of one order whose bytes are random. */
    public byte[] orders(int brokerId, int keyId, Signer key) {
        byte[] batch = bytes(SignedBatch.signedLength(1));
        ByteBuffer.wrap(batch)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) SignedBatch.ROOT_BLOCK_LENGTH)
                .putShort((short) BatchView.TEMPLATE_ID)
                .putShort((short) BatchView.SCHEMA_ID)
                .putShort((short) BatchView.SCHEMA_VERSION)
                .putLong(chainId)
                .putLong(++batchNumber)
                .putLong(1_000)
                .putLong(1)
                .put(bytes(Digest.LENGTH))
                .putInt(brokerId)
                .putShort((short) keyId)
                .putShort((short) 0)
                .putInt(key.scheme().code())
                .putShort((short) SignedBatch.ORDER_LENGTH)
                .putShort((short) 1);
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, chainId, BatchId.of(batch));
        return signed(batch, region, key);
    }

    private static byte[] signed(byte[] batch, byte[] region, Signer key) {
        key.sign(region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return batch;
    }

    /** Returns the administrative batch of a transaction that nodes 0, 1 and 3 approve and node 2 proposes. */
    public byte[] transaction(long number, Change... changes) {
        return proposed(2, approved(number, List.of(changes), 0, 1, 3));
    }

    public byte[] approved(long number, List<Change> changes, int... approvers) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(chainId)
                        .setNumber(number)
                        .addAllChanges(changes)
                        .setReason("reason " + number)
                        .build()
                        .toByteString())
                .build();
        for (int node : approvers) {
            transaction = ApprovedTerms.approve(transaction, node, nodes.get(node));
        }
        return transaction.toByteArray();
    }

    /** Returns an administrative batch in a node's session. */
    public byte[] proposed(int node, byte[] transaction) {
        return proposed(node, nodes.get(node), transaction);
    }

    /** Returns an administrative batch that any key signs in a node's name. */
    public byte[] proposed(int node, Signer key, byte[] transaction) {
        BatchPosition position = new BatchPosition(node, ++batchNumber, Digest.ZERO);
        int keyId = formerKeys.getOrDefault(node, 0);
        byte[] batch = AdministrativeBatch.unsigned(
                chainId, position, keyId, key.scheme().code(), 5, transaction);
        return signed(batch, AdministrativeBatch.signedRegion(batch), key);
    }

    public static Change addKey(int brokerId, int keyId, Signer key) {
        return Change.newBuilder()
                .setAddKey(AddKey.newBuilder()
                        .setBrokerId(brokerId)
                        .setKey(BrokerKey.newBuilder().setKeyId(keyId).setKey(publicKey(key))))
                .build();
    }

    public static Change revokeKey(int brokerId, int keyId) {
        return Change.newBuilder()
                .setRevokeKey(RevokeKey.newBuilder().setBrokerId(brokerId).setKeyId(keyId))
                .build();
    }

    public static Change addBroker(int brokerId, Signer key) {
        return Change.newBuilder()
                .setAddBroker(Broker.newBuilder()
                        .setBrokerId(brokerId)
                        .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(publicKey(key)))
                        .setLiveOrderCountMax(1))
                .build();
    }

    public static Change halt(boolean isHalted) {
        return Change.newBuilder()
                .setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                        .setInstrumentId(1)
                        .setStatus(isHalted ? InstrumentStatus.INSTRUMENT_HALTED : InstrumentStatus.INSTRUMENT_TRADING))
                .build();
    }

    public static Change replaceNode(int node, Signer key) {
        return replaceNode(
                Node.newBuilder().setNodeId(node).setIdentity(publicKey(key)).build());
    }

    public static Change replaceNode(Node node) {
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder().setNode(node))
                .build();
    }

    public static Change addNode(int node, Signer key) {
        return Change.newBuilder()
                .setAddNode(AddNode.newBuilder()
                        .setNode(Node.newBuilder().setNodeId(node).setIdentity(publicKey(key))))
                .build();
    }

    public static Change removeNode(int node) {
        return Change.newBuilder()
                .setRemoveNode(RemoveNode.newBuilder().setNodeId(node))
                .build();
    }

    public static Change checkpointInterval(int blocks) {
        return Change.newBuilder()
                .setSetParameters(SetParameters.newBuilder().setCheckpointInterval(blocks))
                .build();
    }

    /** Appends a block that replaces a node, with its certificate by the nodes before. */
    public void replace(long number, int node) {
        Signer key = newKey();
        append(transaction(number, replaceNode(node, key)));
        certify();
        changeIdentity(node, key);
    }

    /** Appends a block that adds a node, with its certificate by the nodes before. */
    public void add(long number) {
        Signer key = newKey();
        append(transaction(number, addNode(nodes.size(), key)));
        certify();
        nodes.add(key);
    }

    /** Appends the next block. */
    public Block append(byte[]... batches) {
        long link = blocks.isEmpty() ? 0 : block(blocks.size()).lastAdministrationBlock();
        return append(link, batches);
    }

    /** Appends a block that names any administration block. */
    public Block append(long administrationBlock, byte[]... batches) {
        int sequence = blocks.size() + 1;
        Digest previous =
                sequence == 1 ? genesisFile().digest() : block(sequence - 1).hash();
        long timeNs = 1_000_000_000L * sequence;
        BlockBuilder builder =
                new BlockBuilder().begin(sequence, 0, timeNs, Digest.of(bytes(32)), previous, administrationBlock);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), timeNs, batch, 0, batch.length);
        }
        blocks.add(builder.build());
        return block(sequence);
    }

    /** Appends blocks with an order of each broker. */
    public void appendOrders(int count) {
        for (int i = 0; i < count; i++) {
            append(orders(1), orders(2));
        }
    }

    public int length() {
        return blocks.size();
    }

    public Block block(int sequence) {
        return Block.wrap(blocks.get(sequence - 1));
    }

    public List<byte[]> blocks() {
        return List.copyOf(blocks);
    }

    /** Has the last block certified by nodes 0, 1 and 3 with the keys that they have now. */
    public void certify() {
        certificates.add(certificate(length()));
    }

    /** Has the last block certified by nodes with the keys that they have now. */
    public void certify(int... signers) {
        certificates.add(certificate(length(), Digest.ZERO, signers));
    }

    /** Returns the certificate of a block by nodes 0, 1 and 3. */
    public CheckpointCertificate certificate(int sequence) {
        return certificate(sequence, Digest.ZERO, 0, 1, 3);
    }

    /**
     * Returns a certificate of a block with the keys that nodes have now.
     *
     * @param sequence of the block
     * @param results its result digest
     * @param signers ids of nodes
     */
    public CheckpointCertificate certificate(int sequence, Digest results, int... signers) {
        Digest hash = block(sequence).hash();
        Digest proposal = block(sequence).header().proposalDigest();
        byte[] signed = CheckpointCertificate.signedBytes(chainId, sequence, hash, results, proposal);
        List<CertificateSignature> signatures = Arrays.stream(signers)
                .mapToObj(node -> new CertificateSignature(node, nodes.get(node).sign(signed)))
                .toList();
        return new CheckpointCertificate(sequence, hash, results, proposal, signatures);
    }

    public ArchiveConfig config() {
        return new ArchiveConfig(genesisFile().digest(), BLOCKS_PER_SEGMENT, Durability.PROCESS);
    }

    /** Writes the archive, with a certificate of the last block, and closes it. */
    public void writeTo(Path directory) {
        if (certificates.isEmpty() || certificates.getLast().sequence() < length()) {
            certify();
        }
        writeUncertifiedTo(directory);
    }

    /** Writes the archive with the certificates so far, and closes it. */
    public void writeUncertifiedTo(Path directory) {
        try (BlockArchive archive = BlockArchive.open(directory, config())) {
            blocks.forEach(archive::append);
            certificates.forEach(archive::putCertificate);
        }
    }

    /** Writes the first blocks with the certificates that they have so far, and closes the archive. */
    public void writePrefixTo(Path directory, int count) {
        try (BlockArchive archive = BlockArchive.open(directory, config())) {
            blocks.subList(0, count).forEach(archive::append);
            certificates.stream().filter(each -> each.sequence() <= count).forEach(archive::putCertificate);
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
