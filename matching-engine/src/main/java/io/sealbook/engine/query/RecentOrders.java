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
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The last report of the orders that were reported on most recently, by broker and ClOrdID, in a fixed arena: the oldest is overwritten.
 *
 * <p>Written by one thread of the output ring, read by request threads; the lock guards a copy of {@value #RECORD} bytes and is held for
 * no longer.
 */
public final class RecentOrders implements OutputConsumer {
    private static final int RECORD = OutputMessages.REPORT_LENGTH;

    private static final int NO_SLOT = -1;

    private final int capacity;
    private final UnsafeBuffer arena;
    private final long[] brokerIds;
    private final long[] clOrdIds;
    /** Slots by ClOrdID, a map for each broker. */
    private final Long2ObjectHashMap<Long2LongHashMap> slots = new Long2ObjectHashMap<>();

    private int nextSlot;
    private int count;

    /** @param capacity orders kept, each {@value #RECORD} bytes */
    public RecentOrders(int capacity) {
        this.capacity = capacity;
        arena = new UnsafeBuffer(new byte[capacity * RECORD]);
        brokerIds = new long[capacity];
        clOrdIds = new long[capacity];
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, DirectBuffer buffer, int offset) {
        synchronized (slots) {
            put(report.clOrdId(), report, buffer, offset);
            // A cancel or replace that worked is the last word on the order it names, too.
            if (report.origClOrdId() != 0 && !isRefusal(report)) {
                put(report.origClOrdId(), report, buffer, offset);
            }
        }
    }

    private void put(long clOrdId, ExecutionReportDecoder report, DirectBuffer buffer, int offset) {
        int slot = slotOf(report.brokerId(), clOrdId);
        // A refused entry that names a living order's id must not hide that order.
        if (slot != NO_SLOT && isRefusal(report) && !isRefusedAt(slot)) {
            return;
        }
        if (slot == NO_SLOT) {
            slot = take(report.brokerId(), clOrdId);
        }
        arena.putBytes(slot * RECORD, buffer, offset, RECORD);
    }

    Optional<OrderView> find(long brokerId, long clOrdId) {
        UnsafeBuffer copy = new UnsafeBuffer(new byte[RECORD]);
        synchronized (slots) {
            int slot = slotOf(brokerId, clOrdId);
            if (slot == NO_SLOT) {
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
            for (int i = 1; i <= Math.min(limit, count); i++) {
                UnsafeBuffer copy = new UnsafeBuffer(new byte[RECORD]);
                arena.getBytes(Math.floorMod(nextSlot - i, capacity) * RECORD, copy, 0, RECORD);
                copies.add(copy);
            }
        }
        return copies.stream().map(RecentOrders::view).toList();
    }

    private int slotOf(long brokerId, long clOrdId) {
        Long2LongHashMap ofBroker = slots.get(brokerId);
        return ofBroker == null ? NO_SLOT : (int) ofBroker.get(clOrdId);
    }

    private int take(long brokerId, long clOrdId) {
        int slot = nextSlot;
        nextSlot = (nextSlot + 1) % capacity;
        if (count == capacity) {
            slots.get(brokerIds[slot]).remove(clOrdIds[slot]);
        } else {
            count++;
        }
        brokerIds[slot] = brokerId;
        clOrdIds[slot] = clOrdId;
        slots.computeIfAbsent(brokerId, id -> new Long2LongHashMap(NO_SLOT)).put(clOrdId, slot);
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
