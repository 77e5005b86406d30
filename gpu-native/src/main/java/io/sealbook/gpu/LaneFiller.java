package io.sealbook.gpu;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.gpu.GpuCounters.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * What the submitter does: puts requests into lanes, launches these, and makes tables for keys that have earned them.
 * One thread.
 */
final class LaneFiller {
    private static final int NONE = -1;

    private final GpuSettings config;
    private final VerifyKernels kernels;
    private final GpuCounters counters;
    private final BlockingQueue<Lane> freeLanes;
    private final BlockingQueue<Lane> lanesUnderWay;
    private final KeySlots slots;
    /** The lane in hand, or null. */
    private Lane lane;
    /** Of each key of the request in hand: its slot, and its place among the keys of the lane in hand, or none. */
    private int[] slotOfKey = new int[8];

    private int[] placeOfKey = new int[8];

    LaneFiller(
            GpuSettings config,
            VerifyKernels kernels,
            GpuCounters counters,
            BlockingQueue<Lane> freeLanes,
            BlockingQueue<Lane> lanesUnderWay) {
        this.config = config;
        this.kernels = kernels;
        this.counters = counters;
        this.freeLanes = freeLanes;
        this.lanesUnderWay = lanesUnderWay;
        slots = new KeySlots(kernels.slotCount(), config.usesBeforeTable());
    }

    /** Puts a request into the lane in hand, and into others when that is full; waits for a free one if need be. */
    void add(RowRequest request) throws InterruptedException {
        lookUpKeys(request);
        // Once its last row is launched the request may be its caller's again, and another one by now.
        int size = request.size();
        for (int row = 0; row < size; row++) {
            if (lane == null) {
                lane = freeLanes.take();
                lane.clear();
            }
            int key = request.rows().keyIndex(row);
            if (slotOfKey[key] != KeySlots.NONE) {
                lane.addKnown(request, row, slotOfKey[key]);
            } else {
                if (placeOfKey[key] == NONE) {
                    placeOfKey[key] =
                            lane.addKey(SignatureRows.keyRecord(request.keys().get(key)));
                }
                lane.addAny(request, row, placeOfKey[key]);
            }
            if (lane.isFull()) {
                flush();
            }
        }
        Arrays.fill(placeOfKey, NONE);
    }

    /** Launches the lane in hand, if there is one. */
    void flush() throws InterruptedException {
        if (lane != null) {
            lane.launch(kernels);
            counters.add(Counter.LAUNCHES, 1);
            counters.add(Counter.KNOWN_KEY_SIGNATURES, lane.knownCount());
            counters.add(Counter.ANY_KEY_SIGNATURES, lane.anyCount());
            lanesUnderWay.put(lane);
            lane = null;
            Arrays.fill(placeOfKey, NONE);
        }
    }

    private void lookUpKeys(RowRequest request) throws InterruptedException {
        int keyCount = request.keys().size();
        if (slotOfKey.length < keyCount) {
            slotOfKey = new int[2 * keyCount];
            placeOfKey = new int[2 * keyCount];
        }
        Arrays.fill(placeOfKey, NONE);
        List<VerificationKey> earners = new ArrayList<>();
        for (int key = 0; key < keyCount; key++) {
            VerificationKey verificationKey = request.keys().get(key);
            slotOfKey[key] = slots.slot(verificationKey);
            if (slotOfKey[key] == KeySlots.NONE
                    && slots.countUses(verificationKey, request.keyUses(key))
                    && earners.size() < Math.min(kernels.slotCount(), VerifyKernels.TABLES_AT_ONCE)
                    && !earners.contains(verificationKey)) {
                earners.add(verificationKey);
            }
        }
        if (!earners.isEmpty()) {
            makeTables(earners);
            for (int key = 0; key < keyCount; key++) {
                slotOfKey[key] = slots.slot(request.keys().get(key));
            }
        }
    }

    /** At most as many keys as there are slots, so that none of them puts another of them out. */
    private void makeTables(List<VerificationKey> earners) throws InterruptedException {
        int[] keySlots = new int[earners.size()];
        int evictedCount = 0;
        for (int i = 0; i < keySlots.length; i++) {
            KeySlots.Assignment assignment = slots.assign(earners.get(i));
            keySlots[i] = assignment.slot();
            evictedCount += assignment.evicts() ? 1 : 0;
        }
        if (evictedCount > 0) {
            awaitAllLanes();
        }
        kernels.makeTables(earners.stream().map(SignatureRows::keyRecord).toList(), keySlots);
        counters.add(Counter.TABLES_MADE, keySlots.length);
        counters.add(Counter.TABLES_EVICTED, evictedCount);
    }

    /** A lane under way may be reading the table that is to be replaced. */
    private void awaitAllLanes() throws InterruptedException {
        flush();
        List<Lane> lanes = new ArrayList<>();
        while (lanes.size() < config.laneCount()) {
            lanes.add(freeLanes.take());
        }
        freeLanes.addAll(lanes);
    }
}
