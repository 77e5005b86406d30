package io.sealbook.matching;

import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** One decoded entry of a batch. Reused. */
final class Entry {
    long clOrdId;
    long origClOrdId;
    long price;
    long quantity;
    int accountId;
    int instrumentId;
    /** See {@link Kind}; values without a meaning are absent here. */
    int kind;
    /** Whether every byte of an enumeration, flag or reserved field means something. */
    boolean isKnown;

    /** Reads the entry at {@code offset}. */
    void read(DirectBuffer buffer, int offset) {
        clOrdId = buffer.getLong(offset + OrdersDecoder.clOrdIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        origClOrdId = buffer.getLong(offset + OrdersDecoder.origClOrdIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        price = buffer.getLong(offset + OrdersDecoder.priceEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        quantity = buffer.getLong(offset + OrdersDecoder.quantityEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        accountId = buffer.getInt(offset + OrdersDecoder.accountIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        instrumentId = buffer.getInt(offset + OrdersDecoder.instrumentIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        // Action, side, ordType and timeInForce, then flags and reserved, which are 0.
        long last = buffer.getLong(offset + OrdersDecoder.actionEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        kind = (int) last;
        isKnown = last >>> Integer.SIZE == 0 && Kind.isKnown(kind);
        if (!isKnown) {
            kind = Kind.knownPart(kind);
        }
    }
}
