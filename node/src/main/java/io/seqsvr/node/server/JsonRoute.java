package io.seqsvr.node.server;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves one {@link BoundMethod} as JSON over HTTP, by the {@code google.api.http} rule of its .proto: fields come from
 * the path, then from the query or, where the rule says {@code body: "*"}, from a JSON body. No content type is asked
 * for. 64-bit numbers are strings in replies. (The library's transcoding answers 415 without a content type and sends
 * errors without a body.)
 */
final class JsonRoute<Q extends Message, R extends Message> {
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    /**
     * Of a reply to a GET, as protobuf: what is longer would hold up the event loop for too long, and take too much
     * memory. Other calls have a bound of their own, and what they took must be told.
     */
    private static final int MAX_REPLY_BYTES = 1 << 20;

    /** A call for 10,000 users has half as many; all are parsed before anything is looked at, and take room. */
    private static final int MOST_VALUES = 200_000;

    private static final JsonFormat.Printer PRINTER =
            JsonFormat.printer().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();

    private final BoundMethod<Q, R> bound;
    private final HttpMethod verb;
    private final boolean hasBody;
    private final Pattern path;
    private final List<FieldDescriptor> variables = new ArrayList<>();

    private JsonRoute(BoundMethod<Q, R> bound, HttpMethod verb, boolean hasBody, String template) {
        this.bound = bound;
        this.verb = verb;
        this.hasBody = hasBody;
        this.path = compile(template);
    }

    /** The route of a method; none if its .proto has no HTTP rule. */
    static <Q extends Message, R extends Message> Optional<JsonRoute<Q, R>> of(BoundMethod<Q, R> bound) {
        var options = bound.method().descriptor().getOptions();
        if (!options.hasExtension(AnnotationsProto.http)) {
            return Optional.empty();
        }
        HttpRule rule = options.getExtension(AnnotationsProto.http);
        boolean get = rule.hasGet();
        boolean post = rule.hasPost() && rule.getBody().equals("*");
        if (!get && !post) {
            throw new IllegalArgumentException(bound.method().methodName() + " has an HTTP rule that is neither a get "
                    + "nor a post with body '*'");
        }
        return Optional.of(new JsonRoute<>(
                bound, get ? HttpMethod.GET : HttpMethod.POST, !get, get ? rule.getGet() : rule.getPost()));
    }

    private Pattern compile(String template) {
        var regex = new StringBuilder();
        var matcher = VARIABLE.matcher(template);
        int end = 0;
        while (matcher.find()) {
            variables.add(field(matcher.group(1)));
            regex.append(Pattern.quote(template.substring(end, matcher.start())))
                    .append("([^/:]+)");
            end = matcher.end();
        }
        return Pattern.compile(
                regex.append(Pattern.quote(template.substring(end))).toString());
    }

    private FieldDescriptor field(String name) {
        var field = bound.method().descriptor().getInputType().findFieldByName(name);
        if (field == null) {
            throw new IllegalArgumentException(bound.method().methodName() + " has no field " + name);
        }
        return field;
    }

    /** Whether the path belongs to this route, whatever the verb. */
    boolean matches(String requestPath) {
        return path.matcher(requestPath).matches();
    }

    HttpMethod verb() {
        return verb;
    }

    /** Answers a request whose path {@link #matches}; the future holds the JSON of the reply. */
    Future<Buffer> answer(HttpServerRequest http, Buffer body) {
        Q request;
        try {
            request = request(http.path(), query(http), body);
        } catch (RpcException malformed) {
            return Future.failedFuture(bound.refuse(malformed));
        }
        return bound.call(request, 0, RequestCaller.of(http, bound.underWay())).compose(this::print);
    }

    private static MultiMap query(HttpServerRequest http) throws RpcException {
        try {
            return http.params();
        } catch (IllegalArgumentException broken) {
            throw malformed("", "the query is '" + http.query() + "'; its percent-encoding is broken");
        }
    }

    private Future<Buffer> print(Message reply) {
        int bytes = reply.getSerializedSize();
        if (!hasBody && bytes > MAX_REPLY_BYTES) {
            return Future.failedFuture(bound.unsaid(RpcException.of(
                    GrpcStatus.FAILED_PRECONDITION,
                    ErrorReason.REPLY_TOO_LONG,
                    "the reply has " + bytes + " bytes, and JSON is made of " + MAX_REPLY_BYTES
                            + " at most; ask for it over gRPC: "
                            + bound.method().path())));
        }
        try {
            return Future.succeededFuture(Buffer.buffer(PRINTER.print(reply)));
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException("a reply of ours holds an Any that nobody can print", impossible);
        }
    }

    private Q request(String requestPath, MultiMap query, Buffer body) throws RpcException {
        var builder = bound.method().defaultRequest().newBuilderForType();
        if (hasBody && body.length() > 0) {
            merge(body, builder);
        }
        for (Map.Entry<String, String> parameter : query) {
            var field = named(parameter.getKey());
            if (hasBody || field == null) {
                throw malformed(parameter.getKey(), "there is no query parameter '" + parameter.getKey() + "' here");
            }
            set(builder, field, parameter.getValue());
        }
        Matcher matcher = path.matcher(requestPath);
        if (!matcher.matches()) {
            throw new IllegalStateException(requestPath + " does not match " + path);
        }
        for (int i = 0; i < variables.size(); i++) {
            set(builder, variables.get(i), decode(variables.get(i), matcher.group(i + 1)));
        }
        return parse(builder);
    }

    /** As in bodies, a field may be given by its name in JSON or in the .proto. */
    private @Nullable FieldDescriptor named(String name) {
        for (var field : bound.method().descriptor().getInputType().getFields()) {
            if (field.getName().equals(name) || field.getJsonName().equals(name)) {
                return field;
            }
        }
        return null;
    }

    private Q parse(Message.Builder builder) throws RpcException {
        try {
            return bound.method().requestParser().parseFrom(builder.build().toByteString());
        } catch (InvalidProtocolBufferException impossible) {
            throw malformed("", "the request cannot be read: " + impossible.getMessage());
        }
    }

    private void merge(Buffer body, Message.Builder builder) throws RpcException {
        if (values(body) > MOST_VALUES) {
            throw malformed("", "the body has more than " + MOST_VALUES + " values; ask for fewer users at a time");
        }
        try {
            JsonFormat.parser().merge(body.toString(StandardCharsets.UTF_8), builder);
        } catch (InvalidProtocolBufferException broken) {
            throw malformed(
                    "",
                    "the body is no JSON of a "
                            + bound.method().descriptor().getInputType().getName() + ": " + broken.getMessage());
        }
    }

    /** At most so many: before each stands one of these, and nothing that is meant has them in its strings. */
    private static int values(Buffer body) {
        int values = 0;
        for (byte each : body.getBytes()) {
            values += each == '{' || each == '[' || each == ',' || each == ';' || each == ':' || each == '=' ? 1 : 0;
        }
        return values;
    }

    private static String decode(FieldDescriptor field, String text) throws RpcException {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException broken) {
            throw malformed(field.getName(), field.getName() + " is '" + text + "'; its percent-encoding is broken");
        }
    }

    private static void set(Message.Builder builder, FieldDescriptor field, String text) throws RpcException {
        switch (field.getType()) {
            case STRING -> builder.setField(field, text);
            case UINT32 -> builder.setField(field, smallNumber(field, text));
            case UINT64 -> builder.setField(field, number(field, text, true));
            case INT64 -> builder.setField(field, number(field, text, false));
            default -> throw malformed(field.getName(), field.getName() + " can be given in the body only");
        }
    }

    private static int smallNumber(FieldDescriptor field, String text) throws RpcException {
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException wrong) {
            throw malformed(
                    field.getName(),
                    field.getName() + " is '" + text + "'; it must be a whole number from 0 to 4294967295");
        }
    }

    private static long number(FieldDescriptor field, String text, boolean unsigned) throws RpcException {
        try {
            return unsigned ? Long.parseUnsignedLong(text) : Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw malformed(
                    field.getName(),
                    field.getName() + " is '" + text + "'; it must be a whole number"
                            + (unsigned ? " from 0 to 18446744073709551615" : " of 64 bits"));
        }
    }

    private static RpcException malformed(String field, String message) {
        return field.isEmpty()
                ? RpcException.of(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, message)
                : RpcException.ofField(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, field, message);
    }
}
