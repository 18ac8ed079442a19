package io.seqsvr.storesvr.disk;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.seqsvr.proto.internal.v1.PeerMark;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of a data directory's mark: JSON for people to read, with a checksum over the text itself, as one changed
 * letter could make another peer's mark of it, or that of a formatting that did not come to its end.
 */
final class MarkText {
    private static final Pattern CHECKSUM = Pattern.compile("(?<=\"checksum\": \")[0-9a-f]{8}(?=\")");
    private static final String ZEROS = "00000000";

    private MarkText() {}

    static String of(PeerMark mark) throws InvalidProtocolBufferException {
        var text =
                JsonFormat.printer().print(mark.toBuilder().setChecksum(ZEROS).build()) + "\n";
        return CHECKSUM.matcher(text).replaceFirst(checksum(text));
    }

    /**
     * The mark that a text stands for. One without a checksum is of an earlier version and taken as it is.
     *
     * @throws InvalidProtocolBufferException if the text is not as it was written
     */
    static PeerMark read(String text) throws InvalidProtocolBufferException {
        var mark = PeerMark.newBuilder();
        // A newer version may have added fields; the format's number tells, not a parse error.
        JsonFormat.parser().ignoringUnknownFields().merge(text, mark);
        var checksum = CHECKSUM.matcher(text);
        if (checksum.find() && !checksum.group().equals(checksum(checksum.replaceFirst(ZEROS)))) {
            throw new InvalidProtocolBufferException("the checksum does not fit");
        }
        return mark.clearChecksum().build();
    }

    private static String checksum(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }
}
