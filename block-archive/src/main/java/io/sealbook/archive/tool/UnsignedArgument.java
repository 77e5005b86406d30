package io.sealbook.archive.tool;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An identifier on the command line.
 *
 * @param value the number's 64 bits
 */
record UnsignedArgument(long value) {
    /** Reads decimal digits. */
    static final class Converter implements ITypeConverter<UnsignedArgument> {
        @Override
        public UnsignedArgument convert(String text) {
            try {
                return new UnsignedArgument(Long.parseUnsignedLong(text));
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is not an unsigned decimal number of 64 bits");
            }
        }
    }

    long asLong() {
        return value;
    }

    /** @throws IllegalArgumentException if it has more than 32 bits */
    int asInt() {
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(this + " is not an unsigned number of 32 bits");
        }
        return (int) value;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(value);
    }
}
