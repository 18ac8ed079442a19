package io.seqsvr.proto.codec;

import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;

/** Tables of exact counters, which travel in commands and replies and are kept in rows. */
public final class TableCodec {
    private TableCodec() {}

    /** Encodes a table. */
    public static io.seqsvr.proto.internal.v1.CounterTable encode(CounterTable table) {
        var encoded = io.seqsvr.proto.internal.v1.CounterTable.newBuilder()
                .setEpoch(table.epoch())
                .setBase(table.base())
                .setHigh(table.high())
                .setServed(table.served())
                .setChecksum(table.checksum());
        table.pages().forEach(page -> encoded.addPages(encode(page, table.high())));
        return encoded.build();
    }

    static io.seqsvr.proto.internal.v1.CounterPage encode(CounterPage page, long high) {
        var encoded = io.seqsvr.proto.internal.v1.CounterPage.newBuilder().setIndex(page.index());
        for (int i = 0; i < page.served(); i++) {
            encoded.addPlaces(page.place(i));
            encoded.addBelowHigh(high - page.counter(i));
            if (page.bound(i)) {
                encoded.addBounds(page.place(i));
            }
        }
        return encoded.build();
    }

    /**
     * Decodes a table.
     *
     * @throws IllegalArgumentException if it holds a value that no rule allows
     */
    public static CounterTable decode(io.seqsvr.proto.internal.v1.CounterTable table) {
        return new CounterTable(
                table.getEpoch(),
                table.getBase(),
                table.getHigh(),
                table.getServed(),
                table.getChecksum(),
                table.getPagesList().stream()
                        .map(page -> decode(page, table.getHigh()))
                        .toList());
    }

    static CounterPage decode(io.seqsvr.proto.internal.v1.CounterPage page, long high) {
        int served = page.getPlacesCount();
        if (page.getBelowHighCount() != served) {
            throw new IllegalArgumentException("page " + page.getIndex() + " of a counter table has " + served
                    + " places and " + page.getBelowHighCount() + " counters");
        }
        var places = new int[served];
        var counters = new long[served];
        var bounds = new boolean[served];
        int nextBound = 0;
        for (int i = 0; i < served; i++) {
            places[i] = page.getPlaces(i);
            counters[i] = high - page.getBelowHigh(i);
            if (nextBound < page.getBoundsCount() && page.getBounds(nextBound) == places[i]) {
                bounds[i] = true;
                nextBound++;
            }
        }
        if (nextBound < page.getBoundsCount()) {
            throw new IllegalArgumentException("page " + page.getIndex() + " of a counter table calls place "
                    + page.getBounds(nextBound) + " a bound, which is not the next of its places");
        }
        return CounterPage.of(page.getIndex(), places, counters, bounds);
    }
}
