package io.sealbook.gpu;

import io.sealbook.crypto.VerificationKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which keys have a table on the device, and in which slot. A key earns its table by use; when all slots are taken, the
 * key unused for longest gives up its own. One thread.
 */
final class KeySlots {
    static final int NONE = -1;
    /** Keys without a table whose uses are remembered; one more forgets the one unused for longest. */
    private static final int CANDIDATES_MAX = 1 << 16;

    private static final float LOAD_FACTOR = 0.75f;

    private final int slotCount;
    private final int usesBeforeTable;
    private final LinkedHashMap<VerificationKey, Integer> slots = new LinkedHashMap<>(64, LOAD_FACTOR, true);
    private final LinkedHashMap<VerificationKey, Integer> candidateUses = new LinkedHashMap<>(64, LOAD_FACTOR, true);

    /**
     * A slot for a key.
     *
     * @param evicts whether another key had it until now
     */
    record Assignment(int slot, boolean evicts) {}

    /** Starts with empty slots. */
    KeySlots(int slotCount, int usesBeforeTable) {
        this.slotCount = slotCount;
        this.usesBeforeTable = usesBeforeTable;
    }

    int slotCount() {
        return slotCount;
    }

    /** Returns the key's slot, or {@link #NONE}; the key counts as used now. */
    int slot(VerificationKey key) {
        return slots.getOrDefault(key, NONE);
    }

    /** Counts uses of a key without a slot; returns whether it has earned one. */
    boolean countUses(VerificationKey key, int uses) {
        int total = candidateUses.merge(key, uses, Integer::sum);
        if (candidateUses.size() > CANDIDATES_MAX) {
            candidateUses.remove(candidateUses.keySet().iterator().next());
        }
        return total >= usesBeforeTable;
    }

    /** Gives a slot to a key that has none. */
    Assignment assign(VerificationKey key) {
        candidateUses.remove(key);
        boolean evicts = slots.size() == slotCount;
        int slot = slots.size();
        if (evicts) {
            Map.Entry<VerificationKey, Integer> oldest =
                    slots.entrySet().iterator().next();
            slot = oldest.getValue();
            slots.remove(oldest.getKey());
        }
        slots.put(key, slot);
        return new Assignment(slot, evicts);
    }
}
