package io.seqsvr.proto.codec;

import io.seqsvr.core.store.SessionKind;

/** What a process does that keeps a session; travels in commands, views and rows alike. */
public final class SessionKindCodec {
    private SessionKindCodec() {}

    /** Encodes a kind. */
    public static io.seqsvr.proto.internal.v1.SessionKind encode(SessionKind kind) {
        return switch (kind) {
            case ALLOCATOR -> io.seqsvr.proto.internal.v1.SessionKind.ALLOCATOR;
            case ROUTER -> io.seqsvr.proto.internal.v1.SessionKind.ROUTER;
        };
    }

    /**
     * Decodes a kind.
     *
     * @param number its number on the wire, which an unknown one keeps
     * @throws IllegalArgumentException if no kind has it
     */
    public static SessionKind decode(int number) {
        var kind = io.seqsvr.proto.internal.v1.SessionKind.forNumber(number);
        if (kind == io.seqsvr.proto.internal.v1.SessionKind.ALLOCATOR) {
            return SessionKind.ALLOCATOR;
        }
        if (kind == io.seqsvr.proto.internal.v1.SessionKind.ROUTER) {
            return SessionKind.ROUTER;
        }
        throw new IllegalArgumentException(
                "the kind of a session is " + number + "; it must be 1 (allocator) or 2" + " (router)");
    }
}
