package io.seqsvr.proto.codec;

import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.proto.internal.v1.CopiedPages;
import io.seqsvr.proto.internal.v1.PagesTaken;
import io.seqsvr.proto.internal.v1.TableAbandoned;
import io.seqsvr.proto.internal.v1.TableTaken;
import java.util.List;

/** What allocators tell each other about segments on their way. */
public final class PeerMessageCodec {
    private PeerMessageCodec() {}

    /** Encodes a message. */
    public static io.seqsvr.proto.internal.v1.PeerMessage encode(PeerMessage message) {
        var encoded = io.seqsvr.proto.internal.v1.PeerMessage.newBuilder()
                .setNamespaceId(message.segment().namespaceId())
                .setSegment(message.segment().index())
                .setEpoch(message.epoch());
        if (message instanceof PeerMessage.Pages pages) {
            encoded.setPages(encode(pages.pages()));
        } else if (message instanceof PeerMessage.PagesTaken) {
            encoded.setPagesTaken(PagesTaken.getDefaultInstance());
        } else if (message instanceof PeerMessage.TableSealed sealed) {
            encoded.setTableSealed(TableCodec.encode(sealed.table()));
        } else if (message instanceof PeerMessage.TableTaken) {
            encoded.setTableTaken(TableTaken.getDefaultInstance());
        } else if (message instanceof PeerMessage.TableAbandoned) {
            encoded.setTableAbandoned(TableAbandoned.getDefaultInstance());
        } else {
            throw new IllegalStateException("no wire form of " + message);
        }
        return encoded.build();
    }

    private static CopiedPages encode(List<CounterPage> pages) {
        long high = 0;
        for (var page : pages) {
            for (int i = 0; i < page.served(); i++) {
                high = Math.max(high, page.counter(i));
            }
        }
        var encoded = CopiedPages.newBuilder().setHigh(high);
        for (var page : pages) {
            encoded.addPages(TableCodec.encode(page, high));
        }
        return encoded.build();
    }

    /**
     * Decodes a message.
     *
     * @throws IllegalArgumentException if it holds a value that no rule allows, or is of a kind that is not known
     */
    public static PeerMessage decode(io.seqsvr.proto.internal.v1.PeerMessage message) {
        if (message.getSegment() < 0 || message.getNamespaceId() < 0) {
            throw new IllegalArgumentException("a message about segment "
                    + Integer.toUnsignedString(message.getSegment()) + " of namespace "
                    + Integer.toUnsignedString(message.getNamespaceId()));
        }
        var segment = new SegmentId(message.getNamespaceId(), message.getSegment());
        return switch (message.getKindCase()) {
            case PAGES -> {
                long high = message.getPages().getHigh();
                yield new PeerMessage.Pages(
                        segment,
                        message.getEpoch(),
                        message.getPages().getPagesList().stream()
                                .map(page -> TableCodec.decode(page, high))
                                .toList());
            }
            case PAGES_TAKEN -> new PeerMessage.PagesTaken(segment, message.getEpoch());
            case TABLE_SEALED -> new PeerMessage.TableSealed(segment, TableCodec.decode(message.getTableSealed()));
            case TABLE_TAKEN -> new PeerMessage.TableTaken(segment, message.getEpoch());
            case TABLE_ABANDONED -> new PeerMessage.TableAbandoned(segment, message.getEpoch());
            case KIND_NOT_SET ->
                throw new IllegalArgumentException("a message about " + segment + " of a kind that is not known here");
        };
    }
}
