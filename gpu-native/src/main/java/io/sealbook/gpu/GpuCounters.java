package io.sealbook.gpu;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of the accelerator, for the operator. Any thread. */
final class GpuCounters {
    /** A question each. */
    enum Counter {
        /** How much did tables speed up? Signatures verified on the device under keys with tables. */
        KNOWN_KEY_SIGNATURES,
        /** How much did the device do without tables? */
        ANY_KEY_SIGNATURES,
        /** How much stays on the CPU: small batches, other schemes, everything once the breaker is open? */
        CPU_SIGNATURES,
        /** Does an attacker make signatures whose points meet? Chance does not. */
        UNDECIDED_SIGNATURES,
        /** How often was the device checked? */
        CHECKED_SIGNATURES,
        /** Did a verdict of the device differ from the CPU's? One opens the breaker. */
        DISAGREEMENTS,
        /** Did the device fail or stop answering? One opens the breaker. */
        DEVICE_FAULTS,
        /** How large are the batches on the device? Divide signatures by launches. */
        LAUNCHES,
        /** How many keys got a table? */
        TABLES_MADE,
        /** Is there too little memory for tables? Tables dropped for other keys. */
        TABLES_EVICTED;

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final Map<Counter, LongAdder> values = new EnumMap<>(Counter.class);

    GpuCounters() {
        for (Counter counter : Counter.values()) {
            values.put(counter, new LongAdder());
        }
    }

    void add(Counter counter, long count) {
        values.get(counter).add(count);
    }

    long get(Counter counter) {
        return values.get(counter).sum();
    }

    /** Returns all of them by name, in the order of the enumeration. */
    Map<String, Long> snapshot() {
        Map<String, Long> snapshot = new LinkedHashMap<>();
        values.forEach((counter, value) -> snapshot.put(counter.label(), value.sum()));
        return snapshot;
    }
}
