package io.sealbook.crypto;

import org.bouncycastle.math.raw.Nat;

/**
 * Writes an odd scalar in windows without zero digits.
 *
 * <p>With windows of w bits, m = ceil(256 / w) of them, and k odd, let {@code B = (k >> 1) + 2^(wm-1)} and let b(j) be
 * the j-th window of B. Then {@code k = sum of d(j) 2^(wj)} with {@code d(j) = 2 b(j) + 1 - 2^w}: every digit is odd
 * and below 2^w in magnitude. Time and memory access do not depend on k.
 *
 * @param bits 2..16
 */
record OddWindows(int bits) {
    static final int SCALAR_BITS = 256;
    /** The words of a scalar, and zeros for a last window to read beyond it. */
    private static final int BIASED_WORDS = SCALAR_BITS / 32 + 2;

    /** Returns m. */
    int count() {
        return (SCALAR_BITS + bits - 1) / bits;
    }

    /** Returns how many positive digits there are: 2^(w-1). */
    int entryCount() {
        return 1 << (bits - 1);
    }

    /**
     * Returns B.
     *
     * @param k eight words of an odd scalar, lowest first
     */
    int[] biased(int[] k) {
        int[] biased = new int[BIASED_WORDS];
        System.arraycopy(k, 0, biased, 0, k.length);
        Nat.shiftDownBit(k.length, biased, 0);
        int biasBit = bits * count() - 1;
        biased[biasBit >>> 5] |= 1 << (biasBit & 31);
        return biased;
    }

    /** Returns d(window) of B. */
    int digit(int[] biased, int window) {
        int bit = window * bits;
        long pair = (biased[bit >>> 5] & 0xFFFFFFFFL) | ((long) biased[(bit >>> 5) + 1] << 32);
        int value = (int) (pair >>> (bit & 31)) & ((1 << bits) - 1);
        return 2 * value + 1 - (1 << bits);
    }

    /** Returns the place of |digit| among 1, 3, 5, ... */
    static int entry(int digit) {
        int mask = digit >> 31;
        return ((digit ^ mask) - mask - 1) >> 1;
    }
}
