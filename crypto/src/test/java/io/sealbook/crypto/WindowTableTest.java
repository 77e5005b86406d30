package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WindowTableTest {
    @ParameterizedTest
    @EnumSource(EllipticCurve.class)
    void shouldMultiplyAsDoubleAndAddDoes(EllipticCurve curve) {
        Random random = new Random(81);
        ECPoint point = curve.generator.multiply(new BigInteger(200, random)).normalize();
        for (int windowBits : new int[] {2, 5, 6, 7, 8, 11}) {
            WindowTable table = WindowTable.of(point, windowBits);
            for (BigInteger k : scalars(curve, random)) {
                ECPoint expected = ECAlgorithms.referenceMultiply(point, k);

                assertThat(table.addMultipleVar(curve.curve.getInfinity(), k)).isEqualTo(expected);
                assertThat(table.addMultipleVar(point, k)).isEqualTo(expected.add(point));
                if (k.signum() > 0) {
                    assertThat(table.multiplySecret(k)).isEqualTo(expected);
                }
            }
        }
    }

    /** Sums that pass through infinity, equal and opposite points on their way. */
    @ParameterizedTest
    @EnumSource(EllipticCurve.class)
    void shouldSurviveMeetingPoints(EllipticCurve curve) {
        WindowTable table = curve.publicTable();
        Random random = new Random(82);
        for (BigInteger k : scalars(curve, random)) {
            BigInteger opposite = curve.order.subtract(k).mod(curve.order);

            ECPoint sum = table.addMultipleVar(table.addMultipleVar(curve.curve.getInfinity(), k), opposite);
            ECPoint twice = table.addMultipleVar(table.addMultipleVar(curve.curve.getInfinity(), k), k);

            assertThat(sum.isInfinity()).isTrue();
            assertThat(twice).isEqualTo(curve.generator.multiply(k.shiftLeft(1)));
        }
    }

    private static List<BigInteger> scalars(EllipticCurve curve, Random random) {
        BigInteger n = curve.order;
        List<BigInteger> scalars = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            scalars.add(BigInteger.valueOf(i));
            scalars.add(n.subtract(BigInteger.valueOf(i + 1)));
            scalars.add(n.shiftRight(1).add(BigInteger.valueOf(i - 2)));
            scalars.add(new BigInteger(320, random).mod(n));
        }
        scalars.add(BigInteger.TWO.pow(128));
        scalars.add(BigInteger.TWO.pow(255));
        scalars.add(BigInteger.TWO.pow(255).subtract(BigInteger.ONE));
        return scalars;
    }
}
