package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import java.util.List;

/**
 * A proxy as it is.
 *
 * @param name unique
 * @param listen where callers reach it
 * @param upstream where the server listens
 * @param enabled whether it takes connections
 * @param toxics in the order in which they were added
 */
public record ProxyState(String name, Endpoint listen, Endpoint upstream, boolean enabled, List<Toxic> toxics) {
    /** Makes the list immutable. */
    public ProxyState {
        toxics = List.copyOf(toxics);
    }
}
