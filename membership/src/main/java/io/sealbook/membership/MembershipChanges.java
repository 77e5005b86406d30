package io.sealbook.membership;

import com.google.protobuf.Descriptors;
import io.sealbook.protocol.GenesisRules;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.AuditorStatus;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.FormerIdentity;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.MembershipState;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetLimits;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.protocol.v1.SetRates;
import java.util.List;
import java.util.Map;

/** One transaction in execution: its changes in order, all or none. */
final class MembershipChanges {
    private final MembershipState.Builder state;
    private final Genesis.Builder terms;
    private final long block;

    /**
     * @param state before the transaction
     * @param block that holds the transaction
     */
    MembershipChanges(MembershipState state, long block) {
        this.state = state.toBuilder();
        this.terms = this.state.getTermsBuilder();
        this.block = block;
    }

    /**
     * Returns the state after the changes; its number and digest are those before.
     *
     * @throws IllegalArgumentException if a change cannot be made, or the result breaks a rule
     */
    MembershipState apply(List<Change> changes) {
        requireVersionAlone(changes);
        for (int i = 0; i < changes.size(); i++) {
            try {
                apply(changes.get(i));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("change " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        Genesis changed = terms.build();
        GenesisRules.check(changed);
        return state.build();
    }

    /** A build that does not follow the next version must not need it to judge the transaction that leads there. */
    private static void requireVersionAlone(List<Change> changes) {
        for (Change change : changes) {
            SetParameters set = change.getSetParameters();
            require(
                    set.getProtocolVersion() == 0
                            || changes.size() == 1 && set.getAllFields().size() == 1,
                    "protocolVersion is set beside other changes");
        }
    }

    private void apply(Change change) {
        switch (change.getChangeCase()) {
            case ADD_BROKER -> addBroker(change.getAddBroker());
            case ADD_KEY -> addKey(change.getAddKey());
            case REVOKE_KEY -> revokeKey(change.getRevokeKey());
            case SET_BROKER_STATUS -> setStatus(change.getSetBrokerStatus());
            case SET_ACCOUNTS ->
                present(change.getSetAccounts().getBrokerId())
                        .clearAccounts()
                        .addAllAccounts(change.getSetAccounts().getAccountsList());
            case SET_QUOTA ->
                present(change.getSetQuota().getBrokerId())
                        .setLiveOrderCountMax(change.getSetQuota().getLiveOrderCountMax());
            case SET_RATES -> setRates(change.getSetRates());
            case ADD_INSTRUMENT -> addInstrument(change.getAddInstrument());
            case SET_INSTRUMENT_STATUS ->
                instrument(change.getSetInstrumentStatus().getInstrumentId())
                        .setStatus(change.getSetInstrumentStatus().getStatus());
            case SET_LIMITS -> setLimits(change.getSetLimits());
            case ADD_AUDITOR -> addAuditor(change.getAddAuditor());
            case REMOVE_AUDITOR ->
                auditor(change.getRemoveAuditor().getAuditorId()).setStatus(AuditorStatus.AUDITOR_REMOVED);
            case REPLACE_NODE -> replaceNode(change.getReplaceNode().getNode());
            case SET_PARAMETERS -> setParameters(change.getSetParameters());
            case ADD_NODE -> addNode(change.getAddNode().getNode());
            case REMOVE_NODE -> removeNode(change.getRemoveNode().getNodeId());
            case CHANGE_NOT_SET -> throw new IllegalArgumentException("changes nothing that this version knows");
        }
    }

    private void addBroker(Broker broker) {
        require(broker.getStatus() == BrokerStatus.BROKER_ACTIVE, "a new broker has no status");
        Broker.Builder added = broker.toBuilder().clearKeys();
        broker.getKeysList().forEach(key -> added.addKeys(fresh(key)));
        terms.addBrokers(added);
    }

    private void addKey(AddKey change) {
        present(change.getBrokerId()).addKeys(fresh(change.getKey()));
    }

    private BrokerKey fresh(BrokerKey key) {
        require(
                key.getFromBlock() == 0 && key.getUntilBlock() == 0,
                "key " + Integer.toUnsignedString(key.getKeyId()) + " names blocks");
        return key.toBuilder().setFromBlock(block + 1).build();
    }

    private void revokeKey(RevokeKey change) {
        Broker.Builder broker = present(change.getBrokerId());
        BrokerKey.Builder key = broker.getKeysBuilderList().stream()
                .filter(one -> one.getKeyId() == change.getKeyId())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        name(broker) + " has no key " + Integer.toUnsignedString(change.getKeyId())));
        require(
                key.getUntilBlock() == 0,
                "key " + key.getKeyId() + " of " + name(broker) + " was revoked at block " + key.getUntilBlock());
        key.setUntilBlock(block);
    }

    private void setStatus(SetBrokerStatus change) {
        present(change.getBrokerId()).setStatus(change.getStatus());
    }

    /** Even one that takes rates away: builds that do not know the change refuse it. */
    private void setRates(SetRates change) {
        int version = ProtocolVersion.of(terms.getParameters());
        require(version >= ProtocolVersion.RATES, "sets rates, which protocol version " + version + " does not have");
        present(change.getBrokerId())
                .setOrdersPerSecondMax(change.getOrdersPerSecondMax())
                .setBytesPerSecondMax(change.getBytesPerSecondMax());
    }

    private void addInstrument(Instrument instrument) {
        require(instrument.getStatus() == InstrumentStatus.INSTRUMENT_TRADING, "a new instrument has no status");
        terms.addInstruments(instrument);
    }

    private void setLimits(SetLimits change) {
        instrument(change.getInstrumentId())
                .setPriceMin(change.getPriceMin())
                .setPriceMax(change.getPriceMax())
                .setQuantityMax(change.getQuantityMax());
    }

    private void addAuditor(Auditor auditor) {
        require(auditor.getStatus() == AuditorStatus.AUDITOR_ACTIVE, "a new auditor has no status");
        terms.addAuditors(auditor);
    }

    private void replaceNode(Node node) {
        int nodeId = node.getNodeId();
        require(
                Integer.compareUnsigned(nodeId, terms.getNodesCount()) < 0,
                "no node " + Integer.toUnsignedString(nodeId));
        requireFreshIdentity(node);
        giveUpIdentity(nodeId);
        terms.setNodes(nodeId, node);
        endEpoch();
    }

    private void addNode(Node node) {
        int count = terms.getNodesCount();
        require(count < Membership.NODES_MAX, "there are " + count + " nodes, at most " + Membership.NODES_MAX);
        require(
                node.getNodeId() == count,
                "node " + Integer.toUnsignedString(node.getNodeId()) + " added, the next one is node " + count);
        requireFreshIdentity(node);
        terms.addNodes(node);
        endEpoch();
    }

    /** Only the last one: ids of the others stay, because sessions, links and certificates name nodes by them. */
    private void removeNode(int nodeId) {
        int last = terms.getNodesCount() - 1;
        require(
                nodeId == last,
                "node " + Integer.toUnsignedString(nodeId) + " removed, only the last one can be, which is node "
                        + last);
        require(
                last >= GenesisRules.NODES_MIN,
                "of " + (last + 1) + " nodes none can be removed, agreement needs " + GenesisRules.NODES_MIN);
        giveUpIdentity(last);
        terms.removeNodes(last);
        endEpoch();
    }

    private void requireFreshIdentity(Node node) {
        PublicKey identity = node.getIdentity();
        boolean isInUse =
                terms.getNodesList().stream().anyMatch(one -> one.getIdentity().equals(identity))
                        || state.getFormerIdentitiesList().stream()
                                .anyMatch(former -> former.getKey().equals(identity));
        require(!isInUse, "the identity key of node " + node.getNodeId() + " is or was that of a node");
    }

    private void giveUpIdentity(int nodeId) {
        state.addFormerIdentities(FormerIdentity.newBuilder()
                .setNodeId(nodeId)
                .setKey(terms.getNodes(nodeId).getIdentity()));
    }

    private void setParameters(SetParameters change) {
        Parameters.Builder parameters = terms.getParametersBuilder();
        int version = change.getProtocolVersion();
        int next = ProtocolVersion.of(terms.getParameters()) + 1;
        require(
                version == 0 || version == next,
                "protocolVersion " + Integer.toUnsignedString(version) + ", the next one is " + next);
        for (Map.Entry<Descriptors.FieldDescriptor, Object> set :
                change.getAllFields().entrySet()) {
            parameters.setField(
                    Parameters.getDescriptor().findFieldByName(set.getKey().getName()), set.getValue());
        }
        require(!change.getAllFields().isEmpty(), "sets no parameter");
        endEpoch();
    }

    /** Once for a block, however many of its transactions and changes do. */
    private void endEpoch() {
        if (state.getEpochBlock() != block) {
            require(state.getEpoch() < Membership.EPOCH_MAX, "epoch " + state.getEpoch() + " is the last one");
            state.setEpoch(state.getEpoch() + 1).setEpochBlock(block);
        }
    }

    /** Returns a broker that was not removed. */
    private Broker.Builder present(int brokerId) {
        Broker.Builder broker = terms.getBrokersBuilderList().stream()
                .filter(one -> one.getBrokerId() == brokerId)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no broker " + Integer.toUnsignedString(brokerId)));
        require(broker.getStatus() != BrokerStatus.BROKER_REMOVED, name(broker) + " was removed");
        return broker;
    }

    private Instrument.Builder instrument(int instrumentId) {
        return terms.getInstrumentsBuilderList().stream()
                .filter(one -> one.getInstrumentId() == instrumentId)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("no instrument " + Integer.toUnsignedString(instrumentId)));
    }

    private Auditor.Builder auditor(int auditorId) {
        Auditor.Builder auditor = terms.getAuditorsBuilderList().stream()
                .filter(one -> one.getAuditorId() == auditorId)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no auditor " + Integer.toUnsignedString(auditorId)));
        require(
                auditor.getStatus() != AuditorStatus.AUDITOR_REMOVED,
                "auditor " + Integer.toUnsignedString(auditorId) + " was removed");
        return auditor;
    }

    private static String name(Broker.Builder broker) {
        return "broker " + Integer.toUnsignedString(broker.getBrokerId());
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
