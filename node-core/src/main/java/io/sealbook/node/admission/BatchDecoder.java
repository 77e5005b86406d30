package io.sealbook.node.admission;

import io.sealbook.membership.KeyTerm;
import io.sealbook.protocol.KeySessions;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes a signed batch in place, once, and checks everything that needs no session: structure, chain, broker, key,
 * limits, entries. The first fact that fails refuses the batch. One for each lane; one thread.
 *
 * <p>A batch that a broker hands in is judged by the membership at present. One of a peer is judged by what never
 * changes: its structure, and the keys that its broker ever had.
 */
public final class BatchDecoder {
    private final long chainId;
    private final int orderCountMax;
    private final Parameters parameters;
    private final BrokerRegistry brokers;
    private final OrderRules orderRules;
    private final IntConsumer counter;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final BatchView header = new BatchView();
    private final OrderBatchDecoder batch = new OrderBatchDecoder();
    private final Sha256 sha256 = new Sha256();

    /**
     * @param genesis names chain and limits
     * @param brokers brokers and instruments at present; shared by all lanes
     * @param counter gets 1 for each batch whose header is decoded
     */
    public BatchDecoder(Genesis genesis, BrokerRegistry brokers, IntConsumer counter) {
        this.counter = counter;
        this.chainId = genesis.getChainId();
        this.orderCountMax = genesis.getParameters().getOrderCountMax();
        this.parameters = genesis.getParameters();
        this.brokers = brokers;
        this.orderRules = new OrderRules();
    }

    /** Fills the decoded fields of the slot, or its refusal. */
    public void decode(IngressSlot slot) {
        byte[] bytes = slot.bytes;
        if (bytes.length < SignedBatch.signedLength(0)) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + bytes.length + ": ends, a batch has at least " + SignedBatch.signedLength(0)
                            + " bytes");
            return;
        }
        header.wrap(bytes);
        counter.accept(1);
        boolean isAdministrative = header.templateId() == AdministrativeBatch.TEMPLATE_ID;
        if (!isHeaderSound(slot)
                || !(isAdministrative ? isTransactionSound(slot) : isGroupSound(slot) && isLengthSound(slot))
                || !isPositionSound(slot)) {
            return;
        }
        slot.brokerId = header.brokerId();
        slot.sessionKey = header.sessionKey();
        slot.position = header.position();
        slot.validUntilBlock = header.validUntilBlock();
        if (slot.batchId == null) {
            slot.batchId = BatchId.of(sha256, bytes, 0, bytes.length);
        }
        DoorTerms now = brokers.present();
        slot.terms = now;
        if (isOfThisChain(slot) && (isAdministrative ? isProposerKnown(slot, now) : isSenderKnown(slot, now))) {
            SignedRegion.write(slot.signedRegion, 0, chainId, slot.batchId);
            if (!isAdministrative) {
                slot.rate = now.broker(slot.brokerId).rate();
                checkOrders(slot, now);
            }
        }
    }

    /**
     * A member may be further along the chain, or less far: only what every node judges alike, for ever, is a reason to
     * refuse a batch that it admitted.
     */
    private void checkOrders(IngressSlot slot, DoorTerms now) {
        buffer.wrap(slot.bytes);
        batch.wrap(buffer, SignedBatch.MESSAGE_HEADER_LENGTH, SignedBatch.ROOT_BLOCK_LENGTH, BatchView.SCHEMA_VERSION);
        if (slot.isFromPeer()) {
            orderRules.checkFieldsOnly(slot, batch);
            return;
        }
        DoorTerms.Entry broker = now.broker(slot.brokerId);
        long revokedAt = broker.key(header.keyId()).untilBlock();
        if (revokedAt != 0) {
            slot.refuseAtPresent(
                    RefusalReason.UNKNOWN_KEY,
                    "key " + header.keyId() + " of broker " + Integer.toUnsignedString(slot.brokerId)
                            + " was revoked at block " + revokedAt);
        } else if (broker.isRemoved()) {
            slot.refuseAtPresent(
                    RefusalReason.REMOVED_BROKER, "broker " + Integer.toUnsignedString(slot.brokerId) + " was removed");
        } else {
            orderRules.check(slot, batch, now, broker);
            if (slot.refusal == null) {
                slot.rate.check(slot);
            }
        }
    }

    private boolean isTransactionSound(IngressSlot slot) {
        AdministrativeRules.checkStructure(slot, header);
        return slot.refusal == null;
    }

    private boolean isProposerKnown(IngressSlot slot, DoorTerms now) {
        AdministrativeRules.checkProposer(slot, header, now);
        return slot.refusal == null;
    }

    private boolean isPositionSound(IngressSlot slot) {
        long number = header.number();
        if (number == 0) {
            slot.refuse(
                    RefusalReason.MALFORMED, "offset " + BatchView.NUMBER_OFFSET + ": number 0, batches count from 1");
            return false;
        }
        if (number == 1 && !header.previous().equals(Digest.ZERO)) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + BatchView.PREVIOUS_OFFSET + ": the first batch of a session names one before it");
            return false;
        }
        return true;
    }

    private boolean isHeaderSound(IngressSlot slot) {
        boolean isKnownTemplate =
                header.templateId() == BatchView.TEMPLATE_ID || header.templateId() == AdministrativeBatch.TEMPLATE_ID;
        if (!isKnownTemplate || header.schemaId() != BatchView.SCHEMA_ID) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset 2: template " + header.templateId() + " of schema " + header.schemaId() + ", expected "
                            + BatchView.TEMPLATE_ID + " of " + BatchView.SCHEMA_ID);
            return false;
        }
        if (header.rootLength() != SignedBatch.ROOT_BLOCK_LENGTH
                || header.schemaVersion() != BatchView.SCHEMA_VERSION) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset 0: block length " + header.rootLength() + " of version " + header.schemaVersion()
                            + ", expected " + SignedBatch.ROOT_BLOCK_LENGTH + " of " + BatchView.SCHEMA_VERSION);
            return false;
        }
        if (header.reserved() != 0) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + BatchView.RESERVED_OFFSET + ": reserved byte " + header.reserved() + ", expected 0");
            return false;
        }
        return true;
    }

    private boolean isGroupSound(IngressSlot slot) {
        if (header.orderLength() != SignedBatch.ORDER_LENGTH) {
            int groupAt = SignedBatch.MESSAGE_HEADER_LENGTH + SignedBatch.ROOT_BLOCK_LENGTH;
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + groupAt + ": order of " + header.orderLength() + " bytes, expected "
                            + SignedBatch.ORDER_LENGTH);
            return false;
        }
        return true;
    }

    private boolean isLengthSound(IngressSlot slot) {
        int countAt = SignedBatch.ORDERS_OFFSET - 2;
        slot.orderCount = header.orderCount();
        if (slot.orderCount > orderCountMax) {
            slot.refuse(RefusalReason.OVERSIZE_BATCH, slot.orderCount + " orders, at most " + orderCountMax);
            return false;
        }
        int expected = SignedBatch.signedLength(slot.orderCount);
        if (slot.bytes.length != expected) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + countAt + ": " + slot.orderCount + " orders make " + expected + " bytes, came "
                            + slot.bytes.length);
            return false;
        }
        slot.batchLength = SignedBatch.batchLength(slot.orderCount);
        return true;
    }

    private boolean isOfThisChain(IngressSlot slot) {
        if (header.chainId() != chainId) {
            slot.refuse(
                    RefusalReason.WRONG_CHAIN,
                    "chain " + Long.toUnsignedString(header.chainId()) + ", this is " + Long.toUnsignedString(chainId));
            return false;
        }
        return true;
    }

    private boolean isSenderKnown(IngressSlot slot, DoorTerms now) {
        DoorTerms.Entry broker = now.broker(slot.brokerId);
        if (broker == null) {
            slot.refuseUnknown(RefusalReason.UNKNOWN_BROKER, "broker " + Integer.toUnsignedString(slot.brokerId));
            return false;
        }
        KeySessions sessions = KeySessions.of(parameters, header.keyId());
        if (!sessions.has(header.session())) {
            slot.refuse(
                    RefusalReason.UNKNOWN_SESSION,
                    "session " + header.session() + ", key " + header.keyId() + " signs in " + sessions);
            return false;
        }
        KeyTerm term = broker.key(header.keyId());
        if (term == null) {
            slot.refuseUnknown(RefusalReason.UNKNOWN_KEY, "key " + header.keyId() + " of broker " + slot.brokerId);
            return false;
        }
        slot.key = term.key();
        if (header.schemeCode() != slot.key.scheme().code()) {
            slot.refuse(
                    RefusalReason.UNKNOWN_KEY,
                    "scheme " + header.schemeCode() + ", key " + header.keyId() + " of broker " + slot.brokerId
                            + " is of " + slot.key.scheme().code());
            return false;
        }
        if (slot.orderCount == 0) {
            slot.refuse(RefusalReason.EMPTY_BATCH, "no orders");
            return false;
        }
        return true;
    }
}
