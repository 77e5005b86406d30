package io.sealbook.pbft;

import java.lang.reflect.Field;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Opens the core's tables to the simulator's tests: a replica that does not forget. */
public final class LeakyReplica {
    private LeakyReplica() {}

    /** Returns a replica that keeps the slots below its checkpoints for ever. */
    public static Replica keepingOldSlots(ReplicaConfig config, MessageSigner signer) {
        Replica replica = new Replica(config, signer);
        try {
            Field core = Replica.class.getDeclaredField("core");
            core.setAccessible(true);
            Field slots = Core.class.getDeclaredField("slots");
            slots.setAccessible(true);
            slots.set(core.get(replica), new KeptSlots());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the tables of agreement have other names", e);
        }
        return replica;
    }

    /** What is cleared of it is a copy. */
    private static final class KeptSlots extends TreeMap<Long, Slot> {
        private static final long serialVersionUID = 1;

        @Override
        public NavigableMap<Long, Slot> headMap(Long through, boolean isInclusive) {
            return new TreeMap<>(super.headMap(through, isInclusive));
        }
    }
}
