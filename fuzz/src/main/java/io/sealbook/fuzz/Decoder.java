package io.sealbook.fuzz;

import java.util.List;
import java.util.function.Supplier;

/**
 * A decoder of bytes from outside.
 *
 * @param name of the decoder and of its file in the corpus
 * @param seeds makes valid inputs, and so is the source of the corpus
 * @param promise gives bytes to the decoder and checks what it promises
 */
public record Decoder(String name, Supplier<List<byte[]>> seeds, Promise promise) {
    /** What a decoder promises for any bytes. */
    @FunctionalInterface
    public interface Promise {
        /**
         * Decodes bytes.
         *
         * @param bytes any; the decoder's
         * @throws Throwable whatever the decoder throws besides its documented refusal, and an {@link AssertionError}
         *     if it returns something that it should not
         */
        void check(byte[] bytes) throws Throwable;
    }
}
