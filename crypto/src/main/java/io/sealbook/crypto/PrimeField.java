package io.sealbook.crypto;

import org.bouncycastle.math.ec.custom.gm.SM2P256V1Field;
import org.bouncycastle.math.ec.custom.sec.SecP256K1Field;

/** Arithmetic on residues of eight words, lowest first, below the prime. A result may replace an operand. */
enum PrimeField {
    SM2P256V1 {
        @Override
        void multiply(int[] x, int[] y, int[] product) {
            SM2P256V1Field.multiply(x, y, product);
        }

        @Override
        void square(int[] x, int[] square) {
            SM2P256V1Field.square(x, square);
        }

        @Override
        void subtract(int[] x, int[] y, int[] difference) {
            SM2P256V1Field.subtract(x, y, difference);
        }

        @Override
        void negate(int[] x, int[] negative) {
            SM2P256V1Field.negate(x, negative);
        }

        @Override
        void invert(int[] x, int[] inverse) {
            SM2P256V1Field.inv(x, inverse);
        }
    },
    SECP256K1 {
        @Override
        void multiply(int[] x, int[] y, int[] product) {
            SecP256K1Field.multiply(x, y, product);
        }

        @Override
        void square(int[] x, int[] square) {
            SecP256K1Field.square(x, square);
        }

        @Override
        void subtract(int[] x, int[] y, int[] difference) {
            SecP256K1Field.subtract(x, y, difference);
        }

        @Override
        void negate(int[] x, int[] negative) {
            SecP256K1Field.negate(x, negative);
        }

        @Override
        void invert(int[] x, int[] inverse) {
            SecP256K1Field.inv(x, inverse);
        }
    };

    abstract void multiply(int[] x, int[] y, int[] product);

    abstract void square(int[] x, int[] square);

    abstract void subtract(int[] x, int[] y, int[] difference);

    abstract void negate(int[] x, int[] negative);

    /** Inverts a residue that is not 0. */
    abstract void invert(int[] x, int[] inverse);
}
