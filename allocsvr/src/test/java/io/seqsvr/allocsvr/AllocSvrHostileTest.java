package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that no library of ours would send, in gRPC and in JSON: each is answered, or refused as its caller's
 * fault; the numbers of whoever asks properly go on meanwhile.
 */
@Timeout(60)
class AllocSvrHostileTest {
    private static final LeaseTerms LEASE = new LeaseTerms(30_000_000_000L, 100);
    private static final int REQUESTS = 1_500;
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10_000, 1_000, Long.MAX_VALUE);
    /** Nobody but the test asks for its users. */
    private static final Namespace QUIET = new Namespace(2, "quiet", 1_000, 100, 10_000, 1_000, Long.MAX_VALUE);

    private static final List<RpcMethod<?, ?>> METHODS = List.of(
            SequencesRpc.NEXT,
            SequencesRpc.NEXT_MANY,
            SequencesRpc.CURRENT,
            SequencesRpc.CURRENT_MANY,
            SequencesRpc.RAISE_FLOOR);
    private static final List<String> PATHS = List.of(
            "/v1/namespaces/messages/users/7:next",
            "/v1/namespaces/messages/users/7:raiseFloor",
            "/v1/namespaces/messages:nextMany",
            "/v1/namespaces/messages:currentMany");
    /** What an answer may say: never that something is wrong with the server. */
    private static final Set<GrpcStatus> CALLERS_FAULT = Set.of(
            GrpcStatus.INVALID_ARGUMENT,
            GrpcStatus.NOT_FOUND,
            GrpcStatus.OUT_OF_RANGE,
            GrpcStatus.FAILED_PRECONDITION,
            GrpcStatus.RESOURCE_EXHAUSTED,
            GrpcStatus.UNIMPLEMENTED);

    private static final Set<Integer> CALLERS_FAULT_BY_HTTP = Set.of(400, 404, 405, 409, 413, 414, 415, 429, 431, 501);

    private static final long[] EDGES = {
        0, 1, 7, 99, 100, 999, 1_000, 10_000, 10_001, Integer.MAX_VALUE, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE, -1
    };

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES, QUIET);
    private final TestAllocSvr alloc = new TestAllocSvr("alloc-1", store.address());
    private final RawCaller caller = new RawCaller(alloc.address());
    private final long seed = Long.getLong("seqsvr.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private long last;

    @BeforeEach
    void serve() {
        System.out.println("seed " + seed
                + "; replay with mvn -pl allocsvr test -Dtest=AllocSvrHostileTest -Dseqsvr.seed=" + seed);
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
    }

    @AfterEach
    void close() {
        caller.close();
        alloc.close();
        store.close();
    }

    private void assertGoesOn(Object what) {
        long next = alloc.take("quiet", 7, 1);
        assertEquals(last + 1, next, () -> "after " + what + ", seed " + seed);
        last = next;
    }

    private long number() {
        return random.nextInt(4) == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
    }

    /** A message whose fields are absent, at the edge of something, or anything at all. */
    private Message message(Message empty) {
        var builder = empty.newBuilderForType();
        for (var field : empty.getDescriptorForType().getFields()) {
            if (field.isRepeated()) {
                for (int left = random.nextInt(4); left > 0; left--) {
                    builder.addRepeatedField(field, value(builder, field));
                }
            } else if (random.nextInt(5) > 0) {
                builder.setField(field, value(builder, field));
            }
        }
        return builder.build();
    }

    private Object value(Message.Builder of, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case LONG -> number();
            case STRING ->
                random.nextInt(8) > 0
                        ? "messages"
                        : List.of("", "nobody", "\u0000", "é".repeat(300), "a/b")
                                .get(random.nextInt(5));
            case MESSAGE -> message(of.newBuilderForField(field).getDefaultInstanceForType());
            default -> throw new AssertionError("a request has a field of a new kind: " + field);
        };
    }

    /** Some of it changed, cut off or put behind. */
    private byte[] spoiled(byte[] bytes) {
        var spoiled = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> {
                for (int left = random.nextInt(1, 4); left > 0 && spoiled.length > 0; left--) {
                    spoiled[random.nextInt(spoiled.length)] = (byte) random.nextInt();
                }
            }
            case 1 -> spoiled = Arrays.copyOf(spoiled, random.nextInt(spoiled.length + 1));
            case 2 -> {
                int length = spoiled.length;
                var more = new byte[random.nextInt(1, 40)];
                random.nextBytes(more);
                spoiled = Arrays.copyOf(spoiled, length + more.length);
                System.arraycopy(more, 0, spoiled, length, more.length);
            }
            default -> {
                spoiled = new byte[random.nextInt(200)];
                random.nextBytes(spoiled);
            }
        }
        return spoiled;
    }

    @Test
    void whateverComesByGrpcIsAnsweredOrIsItsCallersFault() {
        Map<GrpcStatus, Integer> seen = new EnumMap<>(GrpcStatus.class);
        for (int done = 0; done < REQUESTS; done++) {
            var method = METHODS.get(random.nextInt(METHODS.size()));
            var bytes = message(method.defaultRequest()).toByteArray();
            if (random.nextInt(3) == 0) {
                bytes = spoiled(bytes);
            }
            var status = caller.grpc(method.path(), bytes);
            var what = method.methodName() + " " + Arrays.toString(bytes);
            assertTrue(
                    status == GrpcStatus.OK || CALLERS_FAULT.contains(status),
                    () -> status + " for " + what + ", seed " + seed);
            seen.merge(status, 1, Integer::sum);
            if (done % 50 == 0) {
                assertGoesOn(what);
            }
        }
        assertTrue(seen.containsKey(GrpcStatus.OK) && seen.containsKey(GrpcStatus.INVALID_ARGUMENT), seen::toString);
    }

    private Message messageFor(String path) {
        return path.endsWith("nextMany")
                ? message(SequencesRpc.NEXT_MANY.defaultRequest())
                : path.endsWith("currentMany")
                        ? message(SequencesRpc.CURRENT_MANY.defaultRequest())
                        : path.endsWith("next")
                                ? message(SequencesRpc.NEXT.defaultRequest())
                                : message(SequencesRpc.RAISE_FLOOR.defaultRequest());
    }

    private String json(String path) {
        try {
            return JsonFormat.printer().print(messageFor(path));
        } catch (InvalidProtocolBufferException none) {
            throw new AssertionError(none);
        }
    }

    @Test
    void whateverComesAsJsonIsAnsweredOrIsItsCallersFault() {
        var seen = new TreeMap<Integer, Integer>();
        for (int done = 0; done < REQUESTS; done++) {
            var path = PATHS.get(random.nextInt(PATHS.size()));
            var body = json(path).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(3) == 0) {
                body = spoiled(body);
            }
            int status = caller.json(path, body);
            var what = path + " " + new String(body, StandardCharsets.ISO_8859_1);
            assertTrue(
                    status == 200 || CALLERS_FAULT_BY_HTTP.contains(status),
                    () -> status + " for " + what + ", seed " + seed);
            seen.merge(status, 1, Integer::sum);
            if (done % 50 == 0) {
                assertGoesOn(what);
            }
        }
        assertTrue(seen.containsKey(200) && seen.containsKey(400), seen::toString);
    }
}
