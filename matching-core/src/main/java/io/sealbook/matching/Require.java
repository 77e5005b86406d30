package io.sealbook.matching;

/** Guard of configuration values. */
final class Require {
    private Require() {}

    static void that(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
