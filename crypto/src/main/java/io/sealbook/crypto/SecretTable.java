package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECLookupTable;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.raw.Nat;

/**
 * Multiples of the generator G for secret scalars: k·G is a sum of table entries, one of each window, and needs no
 * doubling.
 *
 * <p>Every window is read as a whole and the same sequence of point operations runs for every k; for even k, -(n - k)·G
 * is the same point. Beneath, BigInteger and the carries of Bouncy Castle's field code are not promised to be constant
 * in time. Immutable; any thread.
 */
final class SecretTable {
    private final ECCurve curve;
    private final BigInteger order;
    private final OddWindows windows;
    private final ECLookupTable[] entries;

    SecretTable(ECPoint point, int windowBits) {
        curve = point.getCurve();
        order = curve.getOrder();
        windows = new OddWindows(windowBits);
        entries = new ECLookupTable[windows.count()];
        WindowPoints.forEachWindow(
                point,
                windows,
                (window, points) -> entries[window] = curve.createCacheSafeLookupTable(points, 0, points.length));
    }

    /**
     * Returns k·G, affine.
     *
     * @param k 1..n-1
     */
    ECPoint multiply(BigInteger k) {
        BigInteger[] parities = {order.subtract(k), k};
        int isOdd = k.intValue() & 1;
        int[] biased = windows.biased(Nat.fromBigInteger(OddWindows.SCALAR_BITS, parities[isOdd]));
        ECPoint[] signs = new ECPoint[2];
        ECPoint sum = curve.getInfinity();
        for (int window = 0; window < entries.length; window++) {
            int digit = windows.digit(biased, window);
            signs[0] = entries[window].lookup(OddWindows.entry(digit));
            signs[1] = signs[0].negate();
            sum = sum.add(signs[digit >>> 31]);
        }
        ECPoint[] product = {sum};
        // normalize() would blind the inversion with a SecureRandom, whose lock is process-wide; the inversion beneath
        // is constant-time.
        curve.normalizeAll(product);
        signs[0] = product[0].negate();
        signs[1] = product[0];
        return signs[isOdd];
    }
}
