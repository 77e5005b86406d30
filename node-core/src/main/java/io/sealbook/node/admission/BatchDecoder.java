package io.sealbook.node.admission;

import io.sealbook.protocol.SignedBatch;
import io.sealbook.protocol.SignedRegion;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.RefusalReason;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes a signed batch in place, once, and checks everything that needs no state: structure, chain, broker, key, limits, entries. The
 * first fact that fails refuses the batch. One for each lane; one thread.
 */
public final class BatchDecoder {
    private final long chainId;
    private final int orderCountMax;
    private final BrokerRegistry brokers;
    private final OrderRules orderRules;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderBatchDecoder batch = new OrderBatchDecoder();
    private final MessageDigest sha256;

    public BatchDecoder(Genesis genesis, BrokerRegistry brokers) {
        this.chainId = genesis.getChainId();
        this.orderCountMax = genesis.getParameters().getOrderCountMax();
        this.brokers = brokers;
        this.orderRules = new OrderRules(genesis);
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
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
        buffer.wrap(bytes);
        if (!isHeaderSound(slot) || !isLengthSound(slot)) {
            return;
        }
        slot.brokerId = (int) batch.brokerId();
        slot.nonce = batch.nonce();
        slot.validUntilBlock = batch.validUntilBlock();
        if (slot.batchId == null) {
            sha256.update(bytes, 0, slot.batchLength);
            slot.batchId = sha256.digest();
        }
        if (isSenderKnown(slot)) {
            orderRules.check(slot, batch, brokers.broker(slot.brokerId));
            SignedRegion.write(slot.signedRegion, 0, chainId, slot.batchId, 0);
        }
    }

    private boolean isHeaderSound(IngressSlot slot) {
        header.wrap(buffer, 0);
        if (header.templateId() != OrderBatchDecoder.TEMPLATE_ID || header.schemaId() != OrderBatchDecoder.SCHEMA_ID) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset 2: template " + header.templateId() + " of schema " + header.schemaId() + ", expected "
                            + OrderBatchDecoder.TEMPLATE_ID + " of " + OrderBatchDecoder.SCHEMA_ID);
            return false;
        }
        if (header.blockLength() != SignedBatch.ROOT_BLOCK_LENGTH || header.version() != 0) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset 0: block length " + header.blockLength() + " of version " + header.version() + ", expected "
                            + SignedBatch.ROOT_BLOCK_LENGTH + " of 0");
            return false;
        }
        int groupAt = SignedBatch.MESSAGE_HEADER_LENGTH + SignedBatch.ROOT_BLOCK_LENGTH;
        int orderLength = buffer.getShort(groupAt, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (orderLength != SignedBatch.ORDER_LENGTH) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + groupAt + ": order of " + orderLength + " bytes, expected " + SignedBatch.ORDER_LENGTH);
            return false;
        }
        batch.wrap(buffer, SignedBatch.MESSAGE_HEADER_LENGTH, header.blockLength(), header.version());
        if (batch.reserved() != 0) {
            slot.refuse(RefusalReason.MALFORMED, "offset 47: reserved byte " + batch.reserved() + ", expected 0");
            return false;
        }
        return true;
    }

    private boolean isLengthSound(IngressSlot slot) {
        int countAt = SignedBatch.ORDERS_OFFSET - 2;
        slot.orderCount = buffer.getShort(countAt, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
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

    private boolean isSenderKnown(IngressSlot slot) {
        if (batch.chainId() != chainId) {
            slot.refuse(
                    RefusalReason.WRONG_CHAIN,
                    "chain " + Long.toUnsignedString(batch.chainId()) + ", this is " + Long.toUnsignedString(chainId));
            return false;
        }
        BrokerRegistry.Entry broker = brokers.broker(slot.brokerId);
        if (broker == null) {
            slot.refuse(RefusalReason.UNKNOWN_BROKER, "broker " + Integer.toUnsignedString(slot.brokerId));
            return false;
        }
        slot.key = broker.key(batch.keyId());
        if (slot.key == null) {
            slot.refuse(RefusalReason.UNKNOWN_KEY, "key " + batch.keyId() + " of broker " + slot.brokerId);
            return false;
        }
        if (batch.schemeRaw() != slot.key.scheme().code()) {
            slot.refuse(
                    RefusalReason.UNKNOWN_KEY,
                    "scheme " + batch.schemeRaw() + ", key " + batch.keyId() + " of broker " + slot.brokerId + " is of "
                            + slot.key.scheme().code());
            return false;
        }
        if (slot.orderCount == 0) {
            slot.refuse(RefusalReason.EMPTY_BATCH, "no orders");
            return false;
        }
        return true;
    }
}
