package io.seqsvr.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a sequence or an epoch: 64 bits, unsigned. */
final class SequenceConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException wrong) {
            throw new TypeConversionException(
                    "'" + text + "' is no such number; it must be a whole number from 0 to 18446744073709551615");
        }
    }
}
