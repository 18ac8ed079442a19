package io.seqsvr.chaos.live;

import io.seqsvr.core.picture.RoutePicture;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who owns the users of a namespace.
 *
 * @param namespace its name
 * @param newest the newest picture of the routes, if there is any
 */
record Owners(String namespace, Supplier<Optional<RoutePicture>> newest) {
    /** Under what the routes name the owner of a user, if they tell one. */
    Optional<String> addressOf(long uid) {
        return newest.get()
                .flatMap(picture -> picture.namespace(namespace)
                        .flatMap(known -> picture.routes().find(known.id(), known.segmentOf(uid)))
                        .flatMap(range -> picture.addressOf(range.owner())));
    }
}
