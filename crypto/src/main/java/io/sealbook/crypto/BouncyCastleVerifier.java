package io.sealbook.crypto;

import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;

/**
 * Verification in Java. Both schemes ask for the point a·G + b·P: where the key has a table it is one of many
 * {@link PointSums}, otherwise Bouncy Castle computes it by Shamir's trick.
 *
 * <p>Verification handles public data only, so its time may depend on them. Each thread that verifies keeps about a
 * megabyte of working memory.
 */
final class BouncyCastleVerifier implements SignatureVerifier {
    private static final int SUMS_MAX = 64;

    private final KeyTables tables = new KeyTables();
    private final ThreadLocal<PointSums> pointSums = ThreadLocal.withInitial(
            () -> new PointSums(SUMS_MAX, EllipticCurve.PUBLIC_TERM_COUNT + KeyTables.TERM_COUNT));

    @Override
    public String provider() {
        return BouncyCastleProvider.NAME;
    }

    @Override
    public int verify(SignatureBatch batch) {
        Sm2Equations sm2 = new Sm2Equations(batch.size());
        Secp256k1Equations secp256k1 = new Secp256k1Equations(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            batch.setValid(i, false);
            if (batch.key(i).scheme() == SignatureScheme.SM2_SM3) {
                sm2.collect(batch, i);
            } else {
                secp256k1.collect(batch, i);
            }
        }
        return settle(sm2, batch) + settle(secp256k1, batch);
    }

    @Override
    public void close() {
        pointSums.remove();
    }

    /** Computes all points of one scheme and compares them; returns the number of valid entries. */
    private int settle(VerificationEquations equations, SignatureBatch batch) {
        if (equations.count == 0) {
            return 0;
        }
        equations.prepare();
        PointSums sums = pointSums.get();
        int[] equationOfSum = new int[Math.min(SUMS_MAX, equations.count)];
        int validCount = 0;
        int sumCount = 0;
        for (int i = 0; i < equations.count; i++) {
            VerificationKey key = batch.key(equations.index[i]);
            PublicTable table = tables.use(key);
            if (table == null) {
                validCount += record(equations, batch, i, equations.holdsAt(i, slowSum(equations, key, i)));
                continue;
            }
            EllipticCurve curve = equations.curve;
            sums.set(sumCount, curve.field, curve.publicTable(), equations.a[i], table, equations.b[i]);
            equationOfSum[sumCount++] = i;
            if (sumCount == sums.sumsMax()) {
                validCount += settleSums(equations, batch, sums, equationOfSum, sumCount);
                sumCount = 0;
            }
        }
        return validCount + settleSums(equations, batch, sums, equationOfSum, sumCount);
    }

    private static int settleSums(
            VerificationEquations equations, SignatureBatch batch, PointSums sums, int[] equationOfSum, int sumCount) {
        sums.addUp(equations.curve.field, sumCount);
        int validCount = 0;
        for (int sum = 0; sum < sumCount; sum++) {
            int i = equationOfSum[sum];
            boolean holds = sums.isUndecided(sum)
                    ? equations.holdsAt(i, slowSum(equations, batch.key(equations.index[i]), i))
                    : equations.holdsAt(i, sums.x(sum), sums.isYOdd(sum));
            validCount += record(equations, batch, i, holds);
        }
        return validCount;
    }

    private static ECPoint slowSum(VerificationEquations equations, VerificationKey key, int i) {
        return ECAlgorithms.sumOfTwoMultiplies(
                equations.curve.generator, equations.a[i], key.curvePoint(), equations.b[i]);
    }

    private static int record(VerificationEquations equations, SignatureBatch batch, int i, boolean isValid) {
        batch.setValid(equations.index[i], isValid);
        return isValid ? 1 : 0;
    }
}
