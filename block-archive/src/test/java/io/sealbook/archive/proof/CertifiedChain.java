package io.sealbook.archive.proof;

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
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchId;
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
import java.util.List;
import java.util.Random;

/**
 * A genesis file with four nodes of both schemes, ten blocks from a seed, and certificates of blocks 4 and 8 by nodes
 * 0, 1 and 3.
 */
public final class CertifiedChain {
    public static final int BLOCKS = 10;
    public static final int BATCHES_PER_BLOCK = 5;
    public static final int BLOCKS_PER_SEGMENT = 4;
    static final int KEY_ID = 7;
    static final long CHAIN_ID = 0xfedcba9876543210L;

    private final Random random;
    private final List<Signer> nodes = new ArrayList<>();
    private final List<Signer> brokers = new ArrayList<>();
    private final byte[] genesisJson;
    private final List<byte[]> blocks = new ArrayList<>();

    public CertifiedChain(long seed) {
        random = new Random(seed);
        for (int node = 0; node < 4; node++) {
            SignatureScheme scheme = node % 2 == 0 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256;
            byte[] scalar = bytes(32);
            scalar[0] &= 0x7f;
            nodes.add(SigningKey.of(scheme, scalar).signer());
        }
        for (SignatureScheme scheme : SignatureScheme.values()) {
            byte[] scalar = bytes(32);
            scalar[0] &= 0x7f;
            brokers.add(SigningKey.of(scheme, scalar).signer());
        }
        genesisJson = GenesisFile.toJson(genesis()).getBytes(StandardCharsets.UTF_8);
        Digest previousHash = genesisFile().digest();
        BlockBuilder builder = new BlockBuilder();
        for (int sequence = 1; sequence <= BLOCKS; sequence++) {
            builder.begin(sequence, 0, 1_000_000_000L * sequence, Digest.of(bytes(32)), previousHash);
            for (int i = 0; i < BATCHES_PER_BLOCK; i++) {
                byte[] signedBatch = signedBatch(1 + random.nextInt(3), brokers.get(i % brokers.size()));
                builder.add(batchId(signedBatch), 1_000_000_000L * sequence, signedBatch, 0, signedBatch.length);
            }
            byte[] block = builder.build();
            blocks.add(block);
            previousHash = Block.wrap(block).hash();
        }
    }

    private Genesis genesis() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(CHAIN_ID);
        for (int i = 0; i < nodes.size(); i++) {
            Signer node = nodes.get(i);
            genesis.addNodes(Node.newBuilder().setNodeId(i).setIdentity(publicKey(node)));
        }
        for (int i = 0; i < brokers.size(); i++) {
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(i + 1)
                    .addKeys(BrokerKey.newBuilder().setKeyId(KEY_ID).setKey(publicKey(brokers.get(i)))));
        }
        return genesis.build();
    }

    private static PublicKey publicKey(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }

    /** Returns a batch whose header is that of the schema and whose orders are random bytes, signed. */
    private byte[] signedBatch(int orders, Signer broker) {
        byte[] signed = bytes(SignedBatch.signedLength(orders));
        ByteBuffer.wrap(signed)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) SignedBatch.ROOT_BLOCK_LENGTH)
                .putShort((short) BatchView.TEMPLATE_ID)
                .putShort((short) BatchView.SCHEMA_ID)
                .putShort((short) BatchView.SCHEMA_VERSION)
                .putLong(CHAIN_ID)
                .putLong(random.nextLong())
                .putLong(1_000)
                .putLong(1)
                .put(bytes(Digest.LENGTH))
                .putInt(brokers.indexOf(broker) + 1)
                .putShort((short) KEY_ID)
                .putShort((short) 0)
                .putInt(broker.scheme().code())
                .putShort((short) SignedBatch.ORDER_LENGTH)
                .putShort((short) orders);
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, batchId(signed).bytes(), 0);
        broker.sign(region, 0, region.length, signed, signed.length - SignedBatch.SIGNATURE_LENGTH);
        return signed;
    }

    public byte[] genesisJson() {
        return genesisJson.clone();
    }

    public GenesisFile genesisFile() {
        return GenesisFile.parse(genesisJson);
    }

    public Block block(int sequence) {
        return Block.wrap(blocks.get(sequence - 1));
    }

    /** Returns the certificate of a block by the given nodes, in this order. */
    public CheckpointCertificate certificate(int sequence, Integer... signers) {
        return certificate(sequence, resultDigest(sequence), signers);
    }

    /** Returns the certificate of a block and of a result digest by the given nodes, in this order. */
    public CheckpointCertificate certificate(int sequence, Digest resultDigest, Integer... signers) {
        Digest hash = block(sequence).hash();
        Digest proposal = block(sequence).header().proposalDigest();
        byte[] signed = CheckpointCertificate.signedBytes(CHAIN_ID, sequence, hash, resultDigest, proposal);
        List<CertificateSignature> signatures = Arrays.stream(signers)
                .map(node -> new CertificateSignature(node, nodes.get(node).sign(signed)))
                .toList();
        return new CheckpointCertificate(sequence, hash, resultDigest, proposal, signatures);
    }

    private static Digest resultDigest(int sequence) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) sequence;
        return Digest.of(bytes);
    }

    public ArchiveConfig config() {
        return new ArchiveConfig(genesisFile().digest(), BLOCKS_PER_SEGMENT, Durability.PROCESS);
    }

    /** Writes the archive and closes it. */
    public void writeTo(Path directory) {
        try (BlockArchive archive = BlockArchive.open(directory, config())) {
            blocks.forEach(archive::append);
            archive.putExecutionTime(2, 2_500_000_000L);
            archive.putCertificate(certificate(4, 0, 1, 3));
            archive.putCertificate(certificate(8, 0, 1, 3));
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static Digest batchId(byte[] signedBatch) {
        return BatchId.of(signedBatch);
    }
}
