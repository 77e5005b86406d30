package io.sealbook.matching;

/** Maps 32-bit ids of the configuration to their positions by open addressing; made once, then only read. */
final class IdIndex {
    static final int MISSING = -1;

    /** Position plus 1 (high 32 bits), id (low 32 bits); 0 is free. */
    private final long[] table;

    private final int mask;

    IdIndex(int[] idsByPosition) {
        int length = Integer.highestOneBit(Math.max(4, idsByPosition.length) - 1) << 2;
        this.table = new long[length];
        this.mask = length - 1;
        for (int position = 0; position < idsByPosition.length; position++) {
            int i = home(idsByPosition[position]);
            while (table[i] != 0) {
                i = i + 1 & mask;
            }
            table[i] = (position + 1L) << 32 | idsByPosition[position] & 0xFFFF_FFFFL;
        }
    }

    /** Returns the position of {@code id}, or {@link #MISSING}. */
    int position(int id) {
        for (int i = home(id); ; i = i + 1 & mask) {
            long entry = table[i];
            if ((int) entry == id || entry == 0) {
                return (int) (entry >>> 32) - 1;
            }
        }
    }

    /** Neighbouring ids keep neighbouring places. */
    private int home(int id) {
        return id & mask;
    }
}
