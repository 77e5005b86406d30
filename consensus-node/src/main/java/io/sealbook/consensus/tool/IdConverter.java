package io.sealbook.consensus.tool;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an id of the genesis file, whose 32 bits are unsigned. */
final class IdConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return ChangeOptions.id(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
