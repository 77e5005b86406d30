package io.sealbook.crypto;

import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;

/** Walks over the odd multiples of {@code 2^(wj)·P} for each window j. */
final class WindowPoints {
    private WindowPoints() {}

    @FunctionalInterface
    interface Sink {
        /** Takes the points 1, 3, 5, ... times 2^(wj)·P, affine. */
        void window(int window, ECPoint[] points);
    }

    static void forEachWindow(ECPoint point, OddWindows windows, Sink sink) {
        ECCurve curve = point.getCurve();
        int entryCount = windows.entryCount();
        ECPoint base = point.normalize();
        for (int window = 0; window < windows.count(); window++) {
            ECPoint[] entries = new ECPoint[entryCount];
            ECPoint[] step = {base.twice()};
            curve.normalizeAll(step);
            entries[0] = base;
            for (int i = 1; i < entryCount; i++) {
                entries[i] = entries[i - 1].add(step[0]);
            }
            // The last entry is 2^w - 1 times the base, so one more makes the base of the next window.
            ECPoint[] next = {entries[entryCount - 1].add(base)};
            curve.normalizeAll(entries);
            curve.normalizeAll(next);
            sink.window(window, entries);
            base = next[0];
        }
    }
}
