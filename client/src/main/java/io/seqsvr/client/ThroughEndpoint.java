package io.seqsvr.client;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.Picture;
import io.seqsvr.core.route.RouteTable;
import java.util.List;
import java.util.Optional;

/** A picture as a client sees it that reaches its endpoint only: whoever owns a segment is asked through that. */
record ThroughEndpoint(Picture seen, String endpoint) implements Picture {
    @Override
    public long version() {
        return seen.version();
    }

    @Override
    public List<Namespace> namespaces() {
        return seen.namespaces();
    }

    @Override
    public RouteTable routes() {
        return seen.routes();
    }

    @Override
    public Optional<String> addressOf(long session) {
        return seen.addressOf(session).map(address -> endpoint);
    }
}
