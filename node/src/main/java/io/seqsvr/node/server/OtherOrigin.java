package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.grpc.common.GrpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Keeps out what a browser sends for a page of somebody else: it asks nobody before it sends a plain POST, and whoever
 * sits before it need not know. Callers that are no browsers say nothing of where they come from.
 */
final class OtherOrigin {
    private static final String SITE = "sec-fetch-site";
    private static final String ORIGIN = "origin";

    private OtherOrigin() {}

    /** Why a request is refused; null if no page of another origin sent it. */
    static @Nullable RpcException refusal(HttpServerRequest request) {
        var site = request.getHeader(SITE);
        var origin = request.getHeader(ORIGIN);
        // Of the same origin it is also where a proxy has another name than this node: pages cannot say so themselves.
        boolean other = "cross-site".equals(site)
                || (!"same-origin".equals(site) && origin != null && !isOwn(origin, request.authority()));
        return other
                ? RpcException.of(
                        GrpcStatus.PERMISSION_DENIED,
                        ErrorReason.OTHER_ORIGIN,
                        SITE + " is '" + said(site) + "' and " + ORIGIN + " '" + said(origin)
                                + "'; web pages may write from this server's own origin only")
                : null;
    }

    private static boolean isOwn(String origin, @Nullable HostAndPort own) {
        int scheme = origin.indexOf("://");
        var named = scheme < 0 ? null : HostAndPort.parseAuthority(origin.substring(scheme + 3), -1);
        return named != null
                && own != null
                && named.host().equalsIgnoreCase(own.host())
                && (named.port() == own.port() || (isUsual(named.port()) && isUsual(own.port())));
    }

    /** A port that is not named, or that of HTTP: browsers leave it out. */
    private static boolean isUsual(int port) {
        return port <= 0 || port == 80;
    }

    private static String said(@Nullable String header) {
        return header == null ? "" : header;
    }
}
