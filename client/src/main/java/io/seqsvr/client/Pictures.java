package io.seqsvr.client;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.client.routes.RoutesListener;
import io.seqsvr.core.picture.RoutePicture;

/** What the watch tells goes to the loop. */
final class Pictures implements RoutesListener {
    private final CallLoop loop;
    private final ClientSettings settings;

    Pictures(CallLoop loop, ClientSettings settings) {
        this.loop = loop;
        this.settings = settings;
    }

    @Override
    public void seen(RoutePicture picture) {
        loop.learn(picture.clusterId(), settings.viaEndpoint ? throughEndpoint(picture) : picture);
    }

    private ThroughEndpoint throughEndpoint(RoutePicture picture) {
        return new ThroughEndpoint(picture, settings.endpoints.get(0).toString());
    }

    /** What spoke against it is forgiven, and counts anew: else a user of whom nobody asks any more would. */
    @Override
    public void confirmed(RoutePicture picture) {
        seen(picture);
    }

    @Override
    public void left(String server, String why) {
        loop.blind(server + ": " + why);
    }
}
