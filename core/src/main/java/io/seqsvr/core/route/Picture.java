package io.seqsvr.core.route;

import io.seqsvr.core.namespace.Namespace;
import java.util.List;
import java.util.Optional;

/**
 * What callers go by: who owns what at one version. An old or wrong picture costs a refusal, never a wrong number:
 * authority is at the allocator only.
 */
public interface Picture {
    /** Stamp of the newest change in it: never goes back, never names two contents. */
    long version();

    /** All namespaces, by id. */
    List<Namespace> namespaces();

    /** Who has which segments. */
    RouteTable routes();

    /** Where the owner with that session serves, HOST:PORT; nothing if the session is over. */
    Optional<String> addressOf(long session);
}
