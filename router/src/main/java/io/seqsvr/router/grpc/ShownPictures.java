package io.seqsvr.router.grpc;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RoutePicture;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Pictures that owners show beside their refusals, where these come before what this router is told by StoreSvr. Only
 * the proxy goes by them: what a router plans, and what it shows to others, is of StoreSvr alone.
 *
 * <p>Invariant: each is newer than all that this router had seen and was shown before. Runs on the event loop of the
 * port.
 */
public final class ShownPictures {
    private final CallLoop owners;
    private final Supplier<Optional<RoutePicture>> seen;
    private Optional<RoutePicture> shown = Optional.empty();

    /**
     * None was shown yet.
     *
     * @param owners takes calls to owners, by the newest picture
     * @param seen the newest picture that came from StoreSvr
     */
    public ShownPictures(CallLoop owners, Supplier<Optional<RoutePicture>> seen) {
        this.owners = owners;
        this.seen = seen;
    }

    /**
     * An owner showed what changed.
     *
     * @throws IllegalArgumentException if it makes no picture
     */
    public void told(RouteChanges changes) {
        newest().flatMap(known -> known.afterHearsay(changes)).ifPresent(picture -> {
            shown = Optional.of(picture);
            owners.learn(picture.clusterId(), picture);
        });
    }

    private Optional<RoutePicture> newest() {
        var known = seen.get();
        long version = known.map(RoutePicture::version).orElse(0L);
        return shown.filter(picture -> picture.version() > version).or(() -> known);
    }
}
