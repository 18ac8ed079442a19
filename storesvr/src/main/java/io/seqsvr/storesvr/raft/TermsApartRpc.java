package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * How members talk to each other: Ratis' own gRPC, where what leaders send comes to the server by way of {@link
 * TermsApart}. Ratis makes it by the name of its class.
 */
public final class TermsApartRpc implements RpcType {
    @Override
    public String name() {
        return TermsApartRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new GrpcFactory(parameters) {
            @Override
            public GrpcServices newRaftServerRpc(RaftServer server) {
                return super.newRaftServerRpc(kept(server));
            }
        };
    }

    private static RaftServer kept(RaftServer server) {
        var apart = new TermsApart();
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, (proxy, method, given) -> {
                    if (given != null && given.length == 1) {
                        if (given[0] instanceof AppendEntriesRequestProto request && request.getEntriesCount() > 0) {
                            return append(apart, server, request);
                        }
                        if (given[0] instanceof InstallSnapshotRequestProto request) {
                            apart.begin(request.getLeaderTerm());
                            try {
                                return call(server, method, given);
                            } finally {
                                apart.end();
                            }
                        }
                    }
                    return call(server, method, given);
                });
    }

    private static Object call(RaftServer server, Method method, Object @Nullable [] given) throws Throwable {
        try {
            return method.invoke(server, given);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static CompletableFuture<AppendEntriesReplyProto> append(
            TermsApart apart, RaftServer server, AppendEntriesRequestProto request) throws IOException {
        apart.begin(request.getLeaderTerm());
        CompletableFuture<AppendEntriesReplyProto> written;
        try {
            written = server.appendEntriesAsync(request);
        } catch (IOException | RuntimeException refused) {
            apart.end();
            throw refused;
        }
        return written.whenComplete((reply, failed) -> apart.end())
                .thenApply(reply ->
                        TermsApart.told(reply, request.getLeaderTerm(), term(server, request.getServerRequest())));
    }

    /** Votes are decided, and terms begin, by who holds the lock of the member. */
    private static long term(RaftServer server, RaftRpcRequestProto request) {
        try {
            var member = server.getDivision(
                    RaftGroupId.valueOf(request.getRaftGroupId().getId()));
            synchronized (member) {
                return member.getInfo().getCurrentTerm();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
