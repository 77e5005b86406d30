package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.raw.Nat256;

/**
 * Adds up many lists of affine points at once.
 *
 * <p>Neighbours in each list are added pairwise until one point is left of each. All additions of a round share one
 * field inversion by Montgomery's trick, which makes an affine addition cost five multiplications and a squaring, where
 * a Jacobian one with an affine summand costs eight and three:
 *
 * <pre>
 *   l = (y2 - y1) / (x2 - x1),   x3 = l² - x1 - x2,   y3 = l (x1 - x3) - y1
 * </pre>
 *
 * Where x1 = x2 the formula fails. Random points do not meet, but a signer knows his key and can aim; such a sum is
 * marked {@link #isUndecided} and belongs to slower, complete formulas. Reusable; one thread at a time.
 */
final class PointSums {
    private static final int COORDINATE_WORDS = 8;

    private final int termsMax;
    private final int[][] x;
    private final int[][] y;
    private final int[][] difference;
    private final int[][] product;
    private final int[] termCounts;
    private final boolean[] undecided;
    private final int[] running = new int[COORDINATE_WORDS];
    private final int[] inverse = new int[COORDINATE_WORDS];
    private final int[] slope = new int[COORDINATE_WORDS];

    /**
     * Reserves room.
     *
     * @param sumsMax lists at a time
     * @param termsMax points in a list
     */
    PointSums(int sumsMax, int termsMax) {
        this.termsMax = termsMax;
        x = new int[sumsMax * termsMax][COORDINATE_WORDS];
        y = new int[sumsMax * termsMax][COORDINATE_WORDS];
        difference = new int[sumsMax * (termsMax / 2)][COORDINATE_WORDS];
        product = new int[sumsMax * (termsMax / 2)][COORDINATE_WORDS];
        termCounts = new int[sumsMax];
        undecided = new boolean[sumsMax];
    }

    int sumsMax() {
        return termCounts.length;
    }

    /** Makes list {@code sum} the terms of a·G + b·P. */
    void set(int sum, PrimeField field, PublicTable g, BigInteger a, PublicTable p, BigInteger b) {
        int first = sum * termsMax;
        g.terms(a, field, x, y, first);
        p.terms(b, field, x, y, first + g.termCount());
        termCounts[sum] = g.termCount() + p.termCount();
        undecided[sum] = false;
    }

    /** Adds up the first {@code count} lists, whose field is the same. */
    void addUp(PrimeField field, int count) {
        while (addPairs(field, count)) {
            for (int sum = 0; sum < count; sum++) {
                closeGaps(sum);
            }
        }
    }

    /** Returns whether two points met, so that the sum is not known. */
    boolean isUndecided(int sum) {
        return undecided[sum];
    }

    BigInteger x(int sum) {
        return Nat256.toBigInteger(x[sum * termsMax]);
    }

    boolean isYOdd(int sum) {
        return (y[sum * termsMax][0] & 1) == 1;
    }

    /**
     * Puts the sum of the points 2j and 2j + 1 in the place 2j, for all j of all lists; returns false if no list has
     * two points.
     */
    private boolean addPairs(PrimeField field, int count) {
        int pairCount = 0;
        setOne(running);
        for (int sum = 0; sum < count; sum++) {
            for (int pair = 0; pair < termCounts[sum] / 2; pair++) {
                int term = sum * termsMax + 2 * pair;
                field.subtract(x[term + 1], x[term], difference[pairCount]);
                if (Nat256.isZero(difference[pairCount])) {
                    undecided[sum] = true;
                    setOne(difference[pairCount]);
                }
                Nat256.copy(running, product[pairCount]);
                field.multiply(running, difference[pairCount], running);
                pairCount++;
            }
        }
        if (pairCount == 0) {
            return false;
        }
        field.invert(running, inverse);
        for (int sum = count - 1; sum >= 0; sum--) {
            for (int pair = termCounts[sum] / 2 - 1; pair >= 0; pair--) {
                pairCount--;
                field.multiply(inverse, product[pairCount], slope);
                field.multiply(inverse, difference[pairCount], inverse);
                addPair(field, sum * termsMax + 2 * pair);
            }
        }
        return true;
    }

    /** Adds the point behind {@code term} to it; slope holds 1 / (x2 - x1). */
    private void addPair(PrimeField field, int term) {
        int[] x1 = x[term];
        int[] y1 = y[term];
        int[] x2 = x[term + 1];
        int[] y2 = y[term + 1];
        field.subtract(y2, y1, y2);
        field.multiply(y2, slope, slope);
        field.square(slope, y2);
        field.subtract(y2, x1, y2);
        field.subtract(y2, x2, x2);
        field.subtract(x1, x2, x1);
        field.multiply(slope, x1, x1);
        field.subtract(x1, y1, y1);
        x[term] = x2;
        x[term + 1] = x1;
    }

    private void closeGaps(int sum) {
        int first = sum * termsMax;
        int remaining = (termCounts[sum] + 1) / 2;
        for (int i = 1; i < remaining; i++) {
            swap(x, first + i, first + 2 * i);
            swap(y, first + i, first + 2 * i);
        }
        termCounts[sum] = remaining;
    }

    private static void swap(int[][] values, int i, int j) {
        int[] kept = values[i];
        values[i] = values[j];
        values[j] = kept;
    }

    private static void setOne(int[] residue) {
        Nat256.zero(residue);
        residue[0] = 1;
    }
}
