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

    /** Reads decimal digits of a number of 32 bits. */
    static final class IntConverter implements ITypeConverter<UnsignedArgument> {
        @Override
        public UnsignedArgument convert(String text) {
            try {
                return new UnsignedArgument(Integer.toUnsignedLong(Integer.parseUnsignedInt(text)));
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is not an unsigned decimal number of 32 bits");
            }
        }
    }

    long asLong() {
        return value;
    }

    /** Returns the number of an argument that {@link IntConverter} has read. */
    int asInt() {
        return (int) value;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(value);
    }
}
