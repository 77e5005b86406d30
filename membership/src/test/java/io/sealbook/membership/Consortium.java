package io.sealbook.membership;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AddNode;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RemoveAuditor;
import io.sealbook.protocol.v1.RemoveNode;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetAccounts;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.protocol.v1.SetQuota;
import io.sealbook.protocol.v1.SetRates;
import java.util.ArrayList;
import java.util.List;

/** Nodes with keys, two brokers (accounts 1 and 2, quotas 600 and 400 of 1,000) and instrument 1. */
final class Consortium {
    private final List<SigningKey> identities = new ArrayList<>();
    private final Genesis genesis;

    Consortium(int nodeCount) {
        this(nodeCount, 77);
    }

    Consortium(int nodeCount, long chainId) {
        Genesis.Builder builder = Genesis.newBuilder()
                .setChainId(chainId)
                .setParameters(Parameters.newBuilder().setLiveOrderCountMax(1_000));
        for (int i = 0; i < nodeCount; i++) {
            SigningKey identity = SigningKey.generate(SignatureScheme.SM2_SM3);
            identities.add(identity);
            builder.addNodes(Node.newBuilder().setNodeId(i).setIdentity(publicKey(identity)));
        }
        builder.addBrokers(newBroker(1, 1, 600)).addBrokers(newBroker(2, 2, 400));
        builder.addInstruments(Instrument.newBuilder()
                .setInstrumentId(1)
                .setPriceMin(1)
                .setPriceMax(1_000)
                .setQuantityMax(1_000));
        this.genesis = GenesisFile.withDefaults(builder.build());
    }

    Genesis genesis() {
        return genesis;
    }

    Broker newBroker(int brokerId, int account, int quota) {
        return Broker.newBuilder()
                .setBrokerId(brokerId)
                .addKeys(newKey(1))
                .addAccounts(AccountRange.newBuilder().setFirst(account))
                .setLiveOrderCountMax(quota)
                .build();
    }

    private static BrokerKey newKey(int keyId) {
        return BrokerKey.newBuilder()
                .setKeyId(keyId)
                .setKey(publicKey(SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256)))
                .build();
    }

    private static PublicKey publicKey(SigningKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
    }

    byte[] approved(long number, List<Change> changes, int... nodes) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(genesis.getChainId())
                        .setNumber(number)
                        .addAllChanges(changes)
                        .build()
                        .toByteString())
                .build();
        for (int node : nodes) {
            Signer signer = Signers.of(identities.get(node));
            transaction = ApprovedTerms.approve(transaction, node, signer);
        }
        return transaction.toByteArray();
    }

    Change addKey(int brokerId, int keyId) {
        return Change.newBuilder()
                .setAddKey(AddKey.newBuilder().setBrokerId(brokerId).setKey(newKey(keyId)))
                .build();
    }

    Change addAuditor(int auditorId) {
        Auditor.Builder auditor =
                Auditor.newBuilder().setAuditorId(auditorId).setKey(newKey(1).getKey());
        return Change.newBuilder().setAddAuditor(auditor).build();
    }

    static Change removeAuditor(int auditorId) {
        return Change.newBuilder()
                .setRemoveAuditor(RemoveAuditor.newBuilder().setAuditorId(auditorId))
                .build();
    }

    static Change revokeKey(int brokerId, int keyId) {
        return Change.newBuilder()
                .setRevokeKey(RevokeKey.newBuilder().setBrokerId(brokerId).setKeyId(keyId))
                .build();
    }

    static Change add(Broker broker) {
        return Change.newBuilder().setAddBroker(broker).build();
    }

    static Change quota(int brokerId, int liveOrderCountMax) {
        return Change.newBuilder()
                .setSetQuota(SetQuota.newBuilder().setBrokerId(brokerId).setLiveOrderCountMax(liveOrderCountMax))
                .build();
    }

    static Change rates(int brokerId, int orders, int bytes) {
        return Change.newBuilder()
                .setSetRates(SetRates.newBuilder()
                        .setBrokerId(brokerId)
                        .setOrdersPerSecondMax(orders)
                        .setBytesPerSecondMax(bytes))
                .build();
    }

    static Change accounts(int brokerId, int first, int last) {
        return Change.newBuilder()
                .setSetAccounts(SetAccounts.newBuilder()
                        .setBrokerId(brokerId)
                        .addAccounts(AccountRange.newBuilder().setFirst(first).setLast(last)))
                .build();
    }

    static Change status(int brokerId, BrokerStatus status) {
        return Change.newBuilder()
                .setSetBrokerStatus(
                        SetBrokerStatus.newBuilder().setBrokerId(brokerId).setStatus(status))
                .build();
    }

    /** Gives a node another identity, which signs from then on in {@link #approved}. */
    Change replaceNode(int nodeId) {
        SigningKey identity = SigningKey.generate(SignatureScheme.SM2_SM3);
        identities.set(nodeId, identity);
        return replaceNode(nodeId, publicKey(identity));
    }

    static Change replaceNode(int nodeId, PublicKey identity) {
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder()
                        .setNode(Node.newBuilder().setNodeId(nodeId).setIdentity(identity)))
                .build();
    }

    /** Adds a node with an identity that signs from then on in {@link #approved}. */
    Change addNode(int nodeId) {
        SigningKey identity = SigningKey.generate(SignatureScheme.SM2_SM3);
        identities.add(identity);
        return addNode(nodeId, publicKey(identity));
    }

    static Change addNode(int nodeId, PublicKey identity) {
        return Change.newBuilder()
                .setAddNode(AddNode.newBuilder()
                        .setNode(Node.newBuilder().setNodeId(nodeId).setIdentity(identity)))
                .build();
    }

    static Change removeNode(int nodeId) {
        return Change.newBuilder()
                .setRemoveNode(RemoveNode.newBuilder().setNodeId(nodeId))
                .build();
    }

    static Change parameters(SetParameters parameters) {
        return Change.newBuilder().setSetParameters(parameters).build();
    }

    static Change halt(int instrumentId, InstrumentStatus status) {
        return Change.newBuilder()
                .setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                        .setInstrumentId(instrumentId)
                        .setStatus(status))
                .build();
    }
}
