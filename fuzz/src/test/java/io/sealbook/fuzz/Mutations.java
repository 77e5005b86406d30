package io.sealbook.fuzz;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The mutations that find most mistakes: cut, grown, a flipped bit, a number at its limit. */
final class Mutations {
    private static final long[] LIMITS = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0xFFFF, 1L << 31, 255};

    private Mutations() {}

    /**
     * Returns a mutated copy.
     *
     * @param seed not changed
     * @param random decides
     */
    static byte[] of(byte[] seed, SplittableRandom random) {
        byte[] bytes = seed.clone();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count && bytes.length > 0; i++) {
            bytes = mutated(bytes, random);
        }
        return bytes;
    }

    private static byte[] mutated(byte[] bytes, SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(4)) {
            case 0 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 1 -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            }
            case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            default -> {
                long limit = LIMITS[random.nextInt(LIMITS.length)];
                for (int i = at; i < Math.min(at + Integer.BYTES, bytes.length); i++) {
                    bytes[i] = (byte) (limit >>> Byte.SIZE * (i - at));
                }
            }
        }
        return bytes;
    }
}
