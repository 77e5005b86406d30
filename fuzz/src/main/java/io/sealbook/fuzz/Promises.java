package io.sealbook.fuzz;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;

/** The forms that most promises have. */
final class Promises {
    private Promises() {}

    /** A method that decodes. */
    @FunctionalInterface
    interface Decode<T> {
        T decode(byte[] bytes) throws Exception;
    }

    /**
     * Returns the promise of a format in which each value has one form: refuse, or return a value that encodes to the
     * same bytes.
     *
     * @param refusal the documented exception
     * @param decode the decoder
     * @param encode the reverse
     */
    static <T> Decoder.Promise canonical(
            Class<? extends Exception> refusal, Decode<T> decode, Function<T, byte[]> encode) {
        return bytes -> {
            byte[] given = bytes.clone();
            T value;
            try {
                value = decode.decode(bytes);
            } catch (Exception e) {
                requireRefusal(refusal, e);
                return;
            }
            requireSame(given, encode.apply(value));
        };
    }

    /**
     * Returns the promise of a format in which a value has several forms: refuse, or return a value whose form, once
     * decoded, encodes to itself.
     *
     * @param refusal the documented exception
     * @param decode the decoder
     * @param encode the reverse
     */
    static <T> Decoder.Promise stable(
            Class<? extends Exception> refusal, Decode<T> decode, Function<T, byte[]> encode) {
        return bytes -> {
            T value;
            try {
                value = decode.decode(bytes);
            } catch (Exception e) {
                requireRefusal(refusal, e);
                return;
            }
            byte[] encoded = encode.apply(value);
            requireSame(encoded, encode.apply(decode.decode(encoded.clone())));
        };
    }

    /**
     * Returns the promise of a decoder whose value is read further: refuse, or return.
     *
     * @param refusal the documented exception
     * @param decode the decoder; throws an {@link AssertionError} if a value is wrong
     */
    static Decoder.Promise refuses(Class<? extends Exception> refusal, Decode<?> decode) {
        return bytes -> {
            try {
                decode.decode(bytes);
            } catch (Exception e) {
                requireRefusal(refusal, e);
            }
        };
    }

    /** Throws the exception unless it is the documented one. */
    static void requireRefusal(Class<? extends Exception> refusal, Exception found) throws Exception {
        if (!refusal.isInstance(found)) {
            throw found;
        }
    }

    static void requireSame(byte[] expected, byte[] found) {
        if (!Arrays.equals(expected, found)) {
            throw new AssertionError("decoded and encoded again:\n  " + hex(expected) + "\nbecame\n  " + hex(found));
        }
    }

    static void require(boolean condition, String fact) {
        if (!condition) {
            throw new AssertionError(fact);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
