package io.sealbook.engine.query;

import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.collections.Object2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The last report of the orders that were reported on most recently, by broker and ClOrdID, in a fixed arena: the oldest is overwritten.
 *
 * <p>Written by one thread of the output ring, read by request threads; the lock guards a copy of {@value #RECORD} bytes and is held for
 * no longer.
 */
public final class RecentOrders implements OutputConsumer {
    private static final int RECORD = OutputMessages.REPORT_LENGTH;

    private record Key(long brokerId, long clOrdId) {}

    private final int capacity;
    private final UnsafeBuffer arena;
    private final Key[] keys;
    private final Object2ObjectHashMap<Key, Integer> slots = new Object2ObjectHashMap<>();
    private int nextSlot;

    /** @param capacity orders kept, each {@value #RECORD} bytes */
    public RecentOrders(int capacity) {
        this.capacity = capacity;
        arena = new UnsafeBuffer(new byte[capacity * RECORD]);
        keys = new Key[capacity];
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, DirectBuffer buffer, int offset) {
        synchronized (slots) {
            put(new Key(report.brokerId(), report.clOrdId()), report, buffer, offset);
            // A cancel or replace that worked is the last word on the order it names, too.
            if (report.origClOrdId() != 0 && !isRefusal(report)) {
                put(new Key(report.brokerId(), report.origClOrdId()), report, buffer, offset);
            }
        }
    }

    private void put(Key key, ExecutionReportDecoder report, DirectBuffer buffer, int offset) {
        Integer slot = slots.get(key);
        // A refused entry that names a living order's id must not hide that order.
        if (slot != null && isRefusal(report) && !isRefusedAt(slot)) {
            return;
        }
        if (slot == null) {
            slot = take(key);
        }
        arena.putBytes(slot * RECORD, buffer, offset, RECORD);
    }

    Optional<OrderView> find(long brokerId, long clOrdId) {
        UnsafeBuffer copy = new UnsafeBuffer(new byte[RECORD]);
        synchronized (slots) {
            Integer slot = slots.get(new Key(brokerId, clOrdId));
            if (slot == null) {
                return Optional.empty();
            }
            arena.getBytes(slot * RECORD, copy, 0, RECORD);
        }
        return Optional.of(view(copy));
    }

    /** Returns the orders that entered most recently, newest first. */
    List<OrderView> newest(int limit) {
        List<UnsafeBuffer> copies = new ArrayList<>();
        synchronized (slots) {
            for (int i = 1; i <= Math.min(limit, slots.size()); i++) {
                UnsafeBuffer copy = new UnsafeBuffer(new byte[RECORD]);
                arena.getBytes(Math.floorMod(nextSlot - i, capacity) * RECORD, copy, 0, RECORD);
                copies.add(copy);
            }
        }
        return copies.stream().map(RecentOrders::view).toList();
    }

    private int take(Key key) {
        int slot = nextSlot;
        nextSlot = (nextSlot + 1) % capacity;
        if (keys[slot] != null) {
            slots.remove(keys[slot]);
        }
        keys[slot] = key;
        slots.put(key, slot);
        return slot;
    }

    private static boolean isRefusal(ExecutionReportDecoder report) {
        return report.execType() == ExecType.REJECTED || report.execType() == ExecType.CANCEL_REJECT;
    }

    private boolean isRefusedAt(int slot) {
        byte execType = arena.getByte(
                slot * RECORD + MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportDecoder.execTypeEncodingOffset());
        return execType == ExecType.REJECTED.value() || execType == ExecType.CANCEL_REJECT.value();
    }

    private static OrderView view(UnsafeBuffer copy) {
        return OrderView.of(new ExecutionReportDecoder().wrapAndApplyHeader(copy, 0, new MessageHeaderDecoder()));
    }
}
