package io.seqsvr.proto.codec;

/** How often a field is in a message, by its bytes alone: parsed, each may take thirty times as much. */
public final class FieldCount {
    private FieldCount() {}

    /**
     * Counts strings, bytes or messages of a repeated field.
     *
     * @param field its number
     * @return so many as are there before the bytes end, or stop being a message: a parser would not get further
     */
    public static int of(byte[] message, int from, int to, int field) {
        var reader = new WireReader();
        reader.begin(message, from, to);
        int count = 0;
        try {
            while (reader.hasMore()) {
                int tag = reader.tag();
                reader.skip(tag);
                count += tag == (field << 3 | WireReader.LENGTH) ? 1 : 0;
            }
        } catch (MalformedMessageException broken) {
            // The parser says so too, and better, if there are few enough for it.
            return count;
        }
        return count;
    }
}
