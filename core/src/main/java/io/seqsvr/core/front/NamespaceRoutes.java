package io.seqsvr.core.front;

import io.seqsvr.core.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** The segments of one namespace that a caller has asked about, found by their index. */
final class NamespaceRoutes {
    private static final SegmentRoute[] NONE = {};

    private Namespace namespace;
    private @Nullable SegmentRoute[] segments = NONE;

    NamespaceRoutes(Namespace namespace) {
        this.namespace = namespace;
    }

    Namespace namespace() {
        return namespace;
    }

    /** Its settings as a newer picture shows them. */
    void namespace(Namespace shown) {
        namespace = shown;
    }

    /** What is kept of a segment of this namespace, null if nobody has asked about it. */
    @Nullable
    SegmentRoute get(int segment) {
        return segment < segments.length ? segments[segment] : null;
    }

    void put(SegmentRoute route) {
        if (segments.length == 0) {
            segments = new @Nullable SegmentRoute[namespace.segmentCount()];
        }
        segments[route.id().index()] = route;
    }
}
