package io.seqsvr.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Whose sequence a command is about. */
final class UserOptions {
    @Parameters(
            index = "0",
            paramLabel = "UID",
            converter = UidConverter.class,
            description = "The user: a whole number from 0 to the namespace's capacity - 1, or any of 64 bits where its"
                    + " keying is HASHED.")
    private long uid;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            defaultValue = "default",
            description = "Name of the namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    /** Reads a uid of 64 bits, unsigned. */
    static final class UidConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return Long.parseUnsignedLong(text);
            } catch (NumberFormatException wrong) {
                throw new TypeConversionException(
                        "'" + text + "' is no uid; it must be a whole number from 0 to 18446744073709551615");
            }
        }
    }

    long uid() {
        return uid;
    }

    String namespace() {
        return namespace;
    }
}
