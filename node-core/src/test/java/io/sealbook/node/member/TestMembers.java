package io.sealbook.node.member;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetRates;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Four members, a broker with an account and an instrument; their transactions, signed. */
public final class TestMembers {
    public static final int BROKER = 1;
    public static final int ACCOUNT = 10;
    public static final int INSTRUMENT = 1;
    private static final long CHAIN_ID = 9;
    private static final int NODES = 4;

    private final List<Signer> nodes = new ArrayList<>();
    private final Signer broker = Signers.generate(SignatureScheme.SM2_SM3);
    private final Genesis genesis;

    public TestMembers() {
        Genesis.Builder builder = Genesis.newBuilder().setChainId(CHAIN_ID);
        for (int i = 0; i < NODES; i++) {
            nodes.add(Signers.generate(SignatureScheme.SM2_SM3));
            builder.addNodes(Node.newBuilder().setNodeId(i).setIdentity(key(nodes.get(i))));
        }
        builder.addBrokers(Broker.newBuilder()
                .setBrokerId(BROKER)
                .addAccounts(AccountRange.newBuilder().setFirst(ACCOUNT))
                .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(broker))));
        builder.addInstruments(Instrument.newBuilder()
                .setInstrumentId(INSTRUMENT)
                .setPriceMin(1)
                .setPriceMax(100)
                .setQuantityMax(50));
        builder.getParametersBuilder().setSessionsPerKey(8).setProtocolVersion(ProtocolVersion.NEWEST);
        genesis = GenesisFile.withDefaults(builder.build());
    }

    public Genesis genesis() {
        return genesis;
    }

    public Signer node(int nodeId) {
        return nodes.get(nodeId);
    }

    /** Returns key 1 of the broker. */
    public Signer broker() {
        return broker;
    }

    /** Returns the membership after changes in blocks 1, 2, ... */
    public Membership after(Change... changes) {
        Membership membership = Membership.of(genesis);
        for (int i = 0; i < changes.length; i++) {
            Membership.Outcome outcome = membership.apply(transaction(i + 1, changes[i], 0, 1, 2), i + 1);
            if (!outcome.isExecuted()) {
                throw new AssertionError(outcome.refusal());
            }
            membership = outcome.membership();
        }
        return membership;
    }

    /** Returns a transaction with the approvals of these nodes. */
    public byte[] transaction(long number, Change change, int... approvers) {
        return transaction(CHAIN_ID, number, change, approvers);
    }

    public byte[] transaction(long chainId, long number, Change change, int... approvers) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(chainId)
                        .setNumber(number)
                        .addChanges(change)
                        .setReason("a test")
                        .build()
                        .toByteString())
                .build();
        for (int node : approvers) {
            transaction = ApprovedTerms.approve(transaction, node, nodes.get(node));
        }
        return transaction.toByteArray();
    }

    /** Returns the batch of a transaction, signed by the node in whose session it is. */
    public byte[] batch(BatchPosition position, byte[] transaction) {
        Signer proposer = nodes.get(position.session() % NODES);
        byte[] batch = AdministrativeBatch.unsigned(
                CHAIN_ID, position, proposer.scheme().code(), 1, transaction);
        byte[] region = AdministrativeBatch.signedRegion(batch);
        proposer.sign(region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return batch;
    }

    /** Returns a batch of the broker with one order, under any key. */
    public byte[] orderBatch(int keyId, Signer key, long number) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.signedLength(1)]);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .chainId(CHAIN_ID)
                .number(number)
                .brokerId(BROKER)
                .keyId(keyId)
                .ordersCount(1)
                .next();
        byte[] batch = buffer.byteArray();
        buffer.putByte(BatchView.SCHEME_OFFSET, (byte) key.scheme().code());
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, BatchId.of(batch));
        key.sign(region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return batch;
    }

    /** Returns a block with batches, after another one. */
    public static Block block(long sequence, Digest previous, long administrationBlock, byte[]... batches) {
        BlockBuilder builder =
                new BlockBuilder().begin(sequence, 0, sequence, Digest.ZERO, previous, administrationBlock);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), sequence, batch, 0, batch.length);
        }
        return builder.buildBlock();
    }

    public static Change addKey(int keyId, Signer signer) {
        return Change.newBuilder()
                .setAddKey(AddKey.newBuilder()
                        .setBrokerId(BROKER)
                        .setKey(BrokerKey.newBuilder().setKeyId(keyId).setKey(key(signer))))
                .build();
    }

    public static Change revokeKey(int keyId) {
        return Change.newBuilder()
                .setRevokeKey(RevokeKey.newBuilder().setBrokerId(BROKER).setKeyId(keyId))
                .build();
    }

    public static Change rates(int orders, int bytes) {
        return Change.newBuilder()
                .setSetRates(SetRates.newBuilder()
                        .setBrokerId(BROKER)
                        .setOrdersPerSecondMax(orders)
                        .setBytesPerSecondMax(bytes))
                .build();
    }

    public static Change status(BrokerStatus status) {
        return Change.newBuilder()
                .setSetBrokerStatus(
                        SetBrokerStatus.newBuilder().setBrokerId(BROKER).setStatus(status))
                .build();
    }

    public static Change status(InstrumentStatus status) {
        return Change.newBuilder()
                .setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                        .setInstrumentId(INSTRUMENT)
                        .setStatus(status))
                .build();
    }

    public static Change replaceNode(int nodeId, Signer identity) {
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder()
                        .setNode(Node.newBuilder().setNodeId(nodeId).setIdentity(key(identity))))
                .build();
    }

    private static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }
}
