package io.sealbook.perf.inline;

import io.sealbook.archive.Block;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.OrderView;
import java.nio.ByteBuffer;

/**
 * What a node sends to the contract engine, big-endian, each frame after its length in 4 bytes.
 *
 * <pre>
 *   kind 1   instruments: id 4, priceMin 8, priceMax 8, quantityMax 8 bytes each
 *   kind 2   block: for each batch broker 4, length of its entries 4, entries of 40 bytes:
 *            action 1, side 1, ordType 1, timeInForce 1, instrument 4, clOrdId 8, origClOrdId 8, price 8, quantity 8
 * </pre>
 */
final class ContractFrames {
    private static final byte LIST = 1;
    private static final byte BLOCK = 2;
    private static final int INSTRUMENT_LENGTH = 28;
    private static final int BATCH_HEAD_LENGTH = 8;
    private static final int ENTRY_LENGTH = 40;

    private ContractFrames() {}

    /** Returns the frame that lists the instruments of a market. */
    static byte[] instruments(Genesis genesis) {
        ByteBuffer frame = frame(LIST, genesis.getInstrumentsCount() * INSTRUMENT_LENGTH);
        for (Instrument instrument : genesis.getInstrumentsList()) {
            frame.putInt(instrument.getInstrumentId())
                    .putLong(instrument.getPriceMin())
                    .putLong(instrument.getPriceMax())
                    .putLong(instrument.getQuantityMax());
        }
        return frame.array();
    }

    /** Returns the frame of a block. */
    static byte[] block(Block block) {
        BatchView batch = new BatchView();
        int length = 0;
        for (int i = 0; i < block.batchCount(); i++) {
            batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            length += BATCH_HEAD_LENGTH + batch.orderCount() * ENTRY_LENGTH;
        }
        ByteBuffer frame = frame(BLOCK, length);
        OrderView order = new OrderView();
        for (int i = 0; i < block.batchCount(); i++) {
            batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            frame.putInt(batch.brokerId()).putInt(batch.orderCount() * ENTRY_LENGTH);
            for (int entry = 0; entry < batch.orderCount(); entry++) {
                put(frame, order.wrap(batch, entry));
            }
        }
        return frame.array();
    }

    private static void put(ByteBuffer frame, OrderView order) {
        frame.put(order.actionCode())
                .put(order.sideCode())
                .put(order.ordTypeCode())
                .put(order.timeInForceCode())
                .putInt(order.instrumentId())
                .putLong(order.clOrdId())
                .putLong(order.origClOrdId())
                .putLong(order.priceTicks())
                .putLong(order.quantityLots());
    }

    private static ByteBuffer frame(byte kind, int length) {
        return ByteBuffer.allocate(Integer.BYTES + 1 + length)
                .putInt(1 + length)
                .put(kind);
    }
}
