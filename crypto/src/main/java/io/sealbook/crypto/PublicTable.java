package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.raw.Nat;
import org.bouncycastle.math.raw.Nat256;

/**
 * Multiples of one fixed point P for public scalars: k·P is a sum of entries, one of each window. Entries are affine,
 * 16 words each. Immutable; any thread.
 */
final class PublicTable {
    private static final int COORDINATE_WORDS = 8;
    private static final int POINT_WORDS = 2 * COORDINATE_WORDS;

    private final BigInteger order;
    private final OddWindows windows;
    private final int[][] entries;

    PublicTable(ECPoint point, int windowBits) {
        order = point.getCurve().getOrder();
        windows = new OddWindows(windowBits);
        entries = new int[windows.count()][];
        WindowPoints.forEachWindow(point, windows, (window, points) -> entries[window] = packed(points));
    }

    /** Returns the number of entries that make a multiple. */
    int termCount() {
        return entries.length;
    }

    /**
     * Writes the entries whose sum is k·P. Time and memory access depend on k.
     *
     * @param k 0..n-1; with 0 they sum to infinity
     * @param x receives {@link #termCount} coordinates from {@code first} on, as does y
     */
    void terms(BigInteger k, PrimeField field, int[][] x, int[][] y, int first) {
        boolean isEven = !k.testBit(0);
        int[] biased = windows.biased(Nat.fromBigInteger(OddWindows.SCALAR_BITS, isEven ? order.subtract(k) : k));
        for (int window = 0; window < entries.length; window++) {
            int digit = windows.digit(biased, window);
            int offset = OddWindows.entry(digit) * POINT_WORDS;
            int term = first + window;
            System.arraycopy(entries[window], offset, x[term], 0, COORDINATE_WORDS);
            System.arraycopy(entries[window], offset + COORDINATE_WORDS, y[term], 0, COORDINATE_WORDS);
            if ((digit < 0) != isEven) {
                field.negate(y[term], y[term]);
            }
        }
    }

    private static int[] packed(ECPoint[] points) {
        int[] words = new int[points.length * POINT_WORDS];
        for (int i = 0; i < points.length; i++) {
            int offset = i * POINT_WORDS;
            Nat256.copy(words(points[i].getAffineXCoord().toBigInteger()), 0, words, offset);
            Nat256.copy(words(points[i].getAffineYCoord().toBigInteger()), 0, words, offset + COORDINATE_WORDS);
        }
        return words;
    }

    private static int[] words(BigInteger coordinate) {
        return Nat256.fromBigInteger(coordinate);
    }
}
