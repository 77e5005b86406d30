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
    void shouldMultiplySecretlyAsDoubleAndAddDoes(EllipticCurve curve) {
        Random random = new Random(81);
        for (int windowBits : new int[] {2, 5, 6}) {
            SecretTable table = new SecretTable(curve.generator, windowBits);
            for (BigInteger k : scalars(curve, random)) {
                if (k.signum() > 0) {
                    assertThat(table.multiply(k)).isEqualTo(ECAlgorithms.referenceMultiply(curve.generator, k));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EllipticCurve.class)
    void shouldSumTwoMultiplesAsDoubleAndAddDoes(EllipticCurve curve) {
        Random random = new Random(82);
        ECPoint point = curve.generator.multiply(new BigInteger(200, random)).normalize();
        List<BigInteger> scalars = scalars(curve, random);
        for (int windowBits : new int[] {2, 5, 7, 8}) {
            PublicTable table = new PublicTable(point, windowBits);
            PointSums sums = new PointSums(scalars.size(), curve.publicTable().termCount() + table.termCount());
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < scalars.size(); i++) {
                    sums.set(i, curve.field, curve.publicTable(), scalars.get(i), table, other(scalars, i, round));
                }

                sums.addUp(curve.field, scalars.size());

                for (int i = 0; i < scalars.size(); i++) {
                    ECPoint expected = ECAlgorithms.referenceMultiply(curve.generator, scalars.get(i))
                            .add(ECAlgorithms.referenceMultiply(point, other(scalars, i, round)))
                            .normalize();
                    if (!sums.isUndecided(i)) {
                        assertThat(sums.x(i))
                                .isEqualTo(expected.getAffineXCoord().toBigInteger());
                        assertThat(sums.isYOdd(i))
                                .isEqualTo(expected.getAffineYCoord().testBitZero());
                    } else {
                        assertThat(scalars.get(i).signum()
                                        * other(scalars, i, round).signum())
                                .as("only a zero scalar makes points meet here")
                                .isZero();
                    }
                }
            }
        }
    }

    private static BigInteger other(List<BigInteger> scalars, int i, int round) {
        return scalars.get((5 * i + round + 1) % scalars.size());
    }

    /** Sums that end in infinity, or whose halves are equal: they are never reported as a point. */
    @ParameterizedTest
    @EnumSource(EllipticCurve.class)
    void shouldLeaveMeetingPointsUndecided(EllipticCurve curve) {
        PublicTable g = curve.publicTable();
        Random random = new Random(83);
        List<BigInteger> scalars = scalars(curve, random);
        PointSums sums = new PointSums(2, 2 * g.termCount());
        for (BigInteger k : scalars) {
            BigInteger opposite = curve.order.subtract(k).mod(curve.order);
            sums.set(0, curve.field, g, k, g, opposite);
            sums.set(1, curve.field, g, BigInteger.ONE, g, BigInteger.TWO);

            sums.addUp(curve.field, 2);

            assertThat(sums.isUndecided(0)).isTrue();
            assertThat(sums.isUndecided(1) || sums.x(1).equals(threeTimes(curve)))
                    .isTrue();
        }
    }

    private static BigInteger threeTimes(EllipticCurve curve) {
        return curve.generator
                .multiply(BigInteger.valueOf(3))
                .normalize()
                .getAffineXCoord()
                .toBigInteger();
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
