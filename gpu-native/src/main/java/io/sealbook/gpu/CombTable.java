package io.sealbook.gpu;

/**
 * The size of a point's table in device memory: {@code ceil(256 / w)} windows of {@code 2^(w-1)} points;
 * {@code sm2_comb.cuh} has the reason.
 *
 * @param windowBits 2..16; one bit more halves nothing but roughly doubles the table and saves additions: at 8 a table
 *     has 256 KiB and a multiple costs 32 additions, at 16 it has 32 MiB and costs 16
 */
record CombTable(int windowBits) {
    static final int WINDOW_BITS_MIN = 2;
    static final int WINDOW_BITS_MAX = 16;

    private static final int SCALAR_BITS = 256;
    private static final int POINT_LENGTH = 64;
    private static final int CHUNK_POINTS = 128;
    private static final int GROWTH_LENGTH = 32;

    CombTable {
        if (windowBits < WINDOW_BITS_MIN || windowBits > WINDOW_BITS_MAX) {
            throw new IllegalArgumentException(
                    "window of " + windowBits + " bits is not in " + WINDOW_BITS_MIN + ".." + WINDOW_BITS_MAX);
        }
    }

    int windowCount() {
        return (SCALAR_BITS + windowBits - 1) / windowBits;
    }

    int pointsPerWindow() {
        return 1 << (windowBits - 1);
    }

    long sizeBytes() {
        return (long) windowCount() * pointsPerWindow() * POINT_LENGTH;
    }

    /** Returns what making one table needs besides: 32 bytes a point. */
    long growthBytes() {
        return sizeBytes() / POINT_LENGTH * GROWTH_LENGTH;
    }

    /** Returns how many threads make one table. */
    int threadCount() {
        return windowCount() * Math.max(1, pointsPerWindow() / CHUNK_POINTS);
    }
}
