package io.sealbook.matching;

import java.util.List;

/** The instruments' limits by position in the configuration, 32 bytes each in one array. */
final class Instruments {
    private static final int WORDS = 4;
    private static final int PRICE_MAX = 1;
    private static final int QUANTITY_MAX = 2;
    private static final int FLAGS = 3;
    private static final int REDUCE_KEEPS_PRIORITY = 1;
    private static final int HALTED = 2;

    private int[] ids;
    private IdIndex index;
    private long[] limits;

    Instruments(List<InstrumentConfig> configs) {
        set(configs);
    }

    /** Goes on with other limits, and with further instruments at the end. */
    void set(List<InstrumentConfig> configs) {
        ids = configs.stream().mapToInt(InstrumentConfig::instrumentId).toArray();
        index = new IdIndex(ids);
        limits = new long[ids.length * WORDS];
        for (int position = 0; position < ids.length; position++) {
            InstrumentConfig config = configs.get(position);
            int at = position * WORDS;
            limits[at] = config.priceMin();
            limits[at + PRICE_MAX] = config.priceMax();
            // No quantity is admitted while it is halted: an entry pays for the question only when it is refused.
            limits[at + QUANTITY_MAX] = config.isHalted() ? 0 : config.quantityMax();
            limits[at + FLAGS] =
                    (config.reduceKeepsPriority() ? REDUCE_KEEPS_PRIORITY : 0) | (config.isHalted() ? HALTED : 0);
        }
    }

    int count() {
        return ids.length;
    }

    /** Returns instrument ids by position; not to be changed. */
    int[] ids() {
        return ids;
    }

    /** Returns an instrument's position, or {@link IdIndex#MISSING}. */
    int position(int instrumentId) {
        return index.position(instrumentId);
    }

    boolean isPrice(int position, long price) {
        return limits[position * WORDS] <= price && price <= limits[position * WORDS + PRICE_MAX];
    }

    /** Returns whether a quantity is admitted: none is while the instrument is halted. */
    boolean isQuantity(int position, long quantity) {
        return 0 < quantity && quantity <= limits[position * WORDS + QUANTITY_MAX];
    }

    boolean reduceKeepsPriority(int position) {
        return (limits[position * WORDS + FLAGS] & REDUCE_KEEPS_PRIORITY) != 0;
    }

    boolean isHalted(int position) {
        return (limits[position * WORDS + FLAGS] & HALTED) != 0;
    }

    long priceMax(int position) {
        return limits[position * WORDS + PRICE_MAX];
    }

    /** Returns the price that a market order of this side (0 buy, 1 sell) goes to at worst. */
    long worstPrice(int position, int side) {
        return limits[position * WORDS + (side == 0 ? PRICE_MAX : 0)];
    }
}
