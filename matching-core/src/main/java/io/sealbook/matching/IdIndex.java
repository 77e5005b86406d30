package io.sealbook.matching;

/** Maps 32-bit ids of the configuration to their positions by open addressing; made once, then only read. */
final class IdIndex {
    static final int MISSING = -1;

    private final int[] ids;
    private final int[] positions;
    private final int mask;

    IdIndex(int[] idsByPosition) {
        int length = Integer.highestOneBit(Math.max(4, idsByPosition.length) - 1) << 2;
        this.ids = new int[length];
        this.positions = new int[length];
        this.mask = length - 1;
        for (int position = 0; position < idsByPosition.length; position++) {
            int i = home(idsByPosition[position]);
            while (positions[i] != 0) {
                i = i + 1 & mask;
            }
            ids[i] = idsByPosition[position];
            positions[i] = position + 1;
        }
    }

    /** Returns the position of {@code id}, or {@link #MISSING}. */
    int position(int id) {
        int i = home(id);
        while (positions[i] != 0) {
            if (ids[i] == id) {
                return positions[i] - 1;
            }
            i = i + 1 & mask;
        }
        return MISSING;
    }

    /** Neighbouring ids keep neighbouring places. */
    private int home(int id) {
        return id & mask;
    }
}
