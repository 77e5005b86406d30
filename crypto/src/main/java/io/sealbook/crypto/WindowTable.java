package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECLookupTable;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.raw.Nat;

/**
 * Multiples of one fixed point P, so that k·P is a sum of table entries and needs no doubling.
 *
 * <p>With windows of w bits, m = ceil(256 / w) of them, and k odd, let {@code B = (k >> 1) + 2^(wm-1)} and let b(j) be the j-th window of
 * B. Then {@code k = sum of d(j) 2^(wj)} with {@code d(j) = 2 b(j) + 1 - 2^w}: every digit is odd, so no digit is zero and only the 2^(w-1)
 * positive odd multiples of 2^(wj)·P are kept, as affine points of 64 bytes. For even k, -(n - k)·P is the same point.
 *
 * <p>Immutable; any thread. A sum may meet equal, opposite or infinite points (a forger may aim at that); Bouncy Castle's addition
 * handles each of them.
 */
final class WindowTable {
    private static final int SCALAR_BITS = 256;
    /** The words of a scalar, and zeros for a last window to read beyond it. */
    private static final int SCALAR_WORDS = SCALAR_BITS / 32 + 2;

    private final ECCurve curve;
    private final BigInteger order;
    private final int windowBits;
    private final ECLookupTable[] windows;

    private WindowTable(ECCurve curve, int windowBits, ECLookupTable[] windows) {
        this.curve = curve;
        this.order = curve.getOrder();
        this.windowBits = windowBits;
        this.windows = windows;
    }

    /**
     * Computes a table of {@code ceil(256 / windowBits) * 2^(windowBits - 1)} points.
     *
     * @param windowBits 2..16
     */
    static WindowTable of(ECPoint point, int windowBits) {
        ECCurve curve = point.getCurve();
        int entryCount = 1 << (windowBits - 1);
        ECLookupTable[] windows = new ECLookupTable[(SCALAR_BITS + windowBits - 1) / windowBits];
        ECPoint base = point.normalize();
        for (int window = 0; window < windows.length; window++) {
            ECPoint[] entries = new ECPoint[entryCount];
            ECPoint[] step = {base.twice()};
            curve.normalizeAll(step);
            entries[0] = base;
            for (int i = 1; i < entryCount; i++) {
                entries[i] = entries[i - 1].add(step[0]);
            }
            ECPoint[] next = {entries[entryCount - 1].add(base)};
            curve.normalizeAll(entries);
            curve.normalizeAll(next);
            windows[window] = curve.createCacheSafeLookupTable(entries, 0, entryCount);
            // The last entry is 2^w - 1 times the base, so one more makes the base of the next window.
            base = next[0];
        }
        return new WindowTable(curve, windowBits, windows);
    }

    /**
     * Returns {@code sum + k·P}, not normalised. Time and memory access depend on k: for public scalars only.
     *
     * @param k 0..n-1
     */
    ECPoint addMultipleVar(ECPoint sum, BigInteger k) {
        boolean isEven = !k.testBit(0);
        int[] words = Nat.fromBigInteger(SCALAR_BITS, isEven ? order.subtract(k) : k);
        int[] shifted = halveAndBias(words);
        ECPoint result = sum;
        for (int window = 0; window < windows.length; window++) {
            int digit = digit(shifted, window);
            ECPoint entry = windows[window].lookupVar(((digit < 0 ? -digit : digit) - 1) >> 1);
            result = (digit < 0) == isEven ? result.add(entry) : result.subtract(entry);
        }
        return result;
    }

    /**
     * Returns k·P, normalised, for a secret k.
     *
     * <p>Every window is read as a whole and the same sequence of point operations runs for every k. Beneath, the words of BigInteger and
     * of Bouncy Castle's field code are not promised to be constant in time (carries, a rare last subtraction).
     *
     * @param k 1..n-1
     */
    ECPoint multiplySecret(BigInteger k) {
        BigInteger[] parities = {order.subtract(k), k};
        int isOdd = k.intValue() & 1;
        int[] shifted = halveAndBias(Nat.fromBigInteger(SCALAR_BITS, parities[isOdd]));
        ECPoint[] signs = new ECPoint[2];
        ECPoint sum = curve.getInfinity();
        for (int window = 0; window < windows.length; window++) {
            int digit = digit(shifted, window);
            int mask = digit >> 31;
            signs[0] = windows[window].lookup((((digit ^ mask) - mask) - 1) >> 1);
            signs[1] = signs[0].negate();
            sum = sum.add(signs[mask & 1]);
        }
        ECPoint[] product = {sum};
        // normalize() would blind the inversion with a SecureRandom, whose lock is process-wide; the inversion beneath
        // is constant-time.
        curve.normalizeAll(product);
        signs[0] = product[0].negate();
        signs[1] = product[0];
        return signs[isOdd];
    }

    /** Returns {@code (k >> 1) + 2^(wm-1)} for an odd k. */
    private int[] halveAndBias(int[] k) {
        int[] shifted = new int[SCALAR_WORDS];
        System.arraycopy(k, 0, shifted, 0, k.length);
        Nat.shiftDownBit(k.length, shifted, 0);
        int biasBit = windowBits * windows.length - 1;
        shifted[biasBit >>> 5] |= 1 << (biasBit & 31);
        return shifted;
    }

    private int digit(int[] shifted, int window) {
        int bit = window * windowBits;
        long pair = (shifted[bit >>> 5] & 0xFFFFFFFFL) | ((long) shifted[(bit >>> 5) + 1] << 32);
        int value = (int) (pair >>> (bit & 31)) & ((1 << windowBits) - 1);
        return 2 * value + 1 - (1 << windowBits);
    }
}
