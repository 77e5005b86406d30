package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Names to the books what the next entries of a batch will need, so that its memory is on its way before the first of
 * them is executed. Changes no state: entries may be refused, and bytes may mean nothing.
 */
final class EntryLookAhead {
    /** Entries at a time: their lines fit in the first-level cache. */
    static final int WINDOW = 32;

    /** With fewer live orders everything is in the cache in any case. */
    private final int liveOrderCountMin;

    private final Instruments instruments;
    private final OrderBooks books;

    /** @param liveOrderCountMin from here on it looks ahead */
    EntryLookAhead(Instruments instruments, OrderBooks books, int liveOrderCountMin) {
        this.instruments = instruments;
        this.books = books;
        this.liveOrderCountMin = liveOrderCountMin;
    }

    /** Looks at {@code count} entries of a broker, of which the first is at {@code offset}. */
    void look(int broker, DirectBuffer buffer, int offset, int count) {
        if (count < 2 || books.orders().count() < liveOrderCountMin) {
            return;
        }
        for (int i = 0; i < count; i++) {
            look(broker, buffer, offset + i * SignedBatch.ORDER_LENGTH);
        }
        books.fetch();
    }

    private void look(int broker, DirectBuffer buffer, int at) {
        byte action = buffer.getByte(at + OrdersDecoder.actionEncodingOffset());
        if (action != Kind.NEW) {
            books.expectPresent(broker, getLong(buffer, at + OrdersDecoder.origClOrdIdEncodingOffset()));
        }
        if (action == Kind.CANCEL) {
            return;
        }
        books.expectAbsent(broker, getLong(buffer, at + OrdersDecoder.clOrdIdEncodingOffset()));
        int instrumentId = buffer.getInt(at + OrdersDecoder.instrumentIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        int book = instruments.position(instrumentId);
        long price = getLong(buffer, at + OrdersDecoder.priceEncodingOffset());
        if (book != IdIndex.MISSING && instruments.isPrice(book, price)) {
            int side = buffer.getByte(at + OrdersDecoder.sideEncodingOffset()) == Kind.SELL ? 1 : 0;
            books.expect(book, side, price);
        }
    }

    private static long getLong(DirectBuffer buffer, int at) {
        return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
    }
}
