package io.seqsvr.node.server;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.reflection.v1.ErrorResponse;
import io.vertx.grpc.reflection.v1.ExtensionNumberResponse;
import io.vertx.grpc.reflection.v1.FileDescriptorResponse;
import io.vertx.grpc.reflection.v1.ListServiceResponse;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Server reflection, v1 and v1alpha (the same messages under another name): tells generic clients what the node serves.
 * (The library's own service ends the stream after the first request, which breaks clients that ask twice.)
 */
final class ReflectionEndpoint {
    private final Map<String, FileDescriptor> files = new LinkedHashMap<>();
    private final Set<String> services = new TreeSet<>();
    private final UnreadReplies unread;

    ReflectionEndpoint(Collection<FileDescriptor> roots, Set<String> services, UnreadReplies unread) {
        this.unread = unread;
        roots.forEach(this::add);
        this.services.addAll(services);
    }

    private void add(FileDescriptor file) {
        if (files.putIfAbsent(file.getName(), file) == null) {
            file.getDependencies().forEach(this::add);
        }
    }

    void bind(LibraryPort port) {
        for (var version : new String[] {"v1", "v1alpha"}) {
            port.bind(
                    ServiceMethod.server(
                            ServiceName.create("grpc.reflection." + version, "ServerReflection"),
                            "ServerReflectionInfo",
                            GrpcMessageEncoder.IDENTITY,
                            GrpcMessageDecoder.IDENTITY),
                    this::serve);
        }
    }

    private void serve(GrpcServerRequest<Buffer, Buffer> call) {
        var response = call.response();
        call.handler(message -> {
            ServerReflectionRequest request;
            try {
                request = ServerReflectionRequest.parseFrom(message.getBytes());
            } catch (InvalidProtocolBufferException broken) {
                ignoreTheRest(call);
                response.status(GrpcStatus.INVALID_ARGUMENT).end();
                return;
            }
            if (unread.writeOneOfMany(call, Buffer.buffer(answer(request).toByteArray()))
                    .isEmpty()) {
                ignoreTheRest(call);
                GrpcEndpoint.fail(response, unread.refusal(call.connection()));
            } else if (response.writeQueueFull()) {
                call.pause();
                response.drainHandler(drained -> call.resume());
            }
        });
        call.endHandler(ended -> response.end());
    }

    private static void ignoreTheRest(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(more -> {});
        call.endHandler(ended -> {});
    }

    private ServerReflectionResponse answer(ServerReflectionRequest request) {
        var answer = ServerReflectionResponse.newBuilder()
                .setValidHost(request.getHost())
                .setOriginalRequest(request);
        switch (request.getMessageRequestCase()) {
            case LIST_SERVICES -> {
                var list = ListServiceResponse.newBuilder();
                services.forEach(
                        name -> list.addService(ServiceResponse.newBuilder().setName(name)));
                answer.setListServicesResponse(list);
            }
            case FILE_BY_FILENAME ->
                describe(
                        answer,
                        request.getFileByFilename(),
                        Optional.ofNullable(files.get(request.getFileByFilename())));
            case FILE_CONTAINING_SYMBOL ->
                describe(answer, request.getFileContainingSymbol(), declaring(request.getFileContainingSymbol()));
            case ALL_EXTENSION_NUMBERS_OF_TYPE ->
                answer.setAllExtensionNumbersResponse(
                        ExtensionNumberResponse.newBuilder().setBaseTypeName(request.getAllExtensionNumbersOfType()));
            case FILE_CONTAINING_EXTENSION ->
                notFound(answer, request.getFileContainingExtension().getContainingType());
            case MESSAGEREQUEST_NOT_SET -> notFound(answer, "an empty request");
        }
        return answer.build();
    }

    /** The file with all that it imports, itself first. */
    private static void describe(
            ServerReflectionResponse.Builder answer, String asked, Optional<FileDescriptor> found) {
        if (found.isEmpty()) {
            notFound(answer, asked);
            return;
        }
        var closure = new LinkedHashMap<String, FileDescriptor>();
        collect(found.get(), closure);
        var reply = FileDescriptorResponse.newBuilder();
        closure.values()
                .forEach(file -> reply.addFileDescriptorProto(file.toProto().toByteString()));
        answer.setFileDescriptorResponse(reply);
    }

    private static void collect(FileDescriptor file, Map<String, FileDescriptor> closure) {
        if (closure.putIfAbsent(file.getName(), file) == null) {
            file.getDependencies().forEach(dependency -> collect(dependency, closure));
        }
    }

    private Optional<FileDescriptor> declaring(String symbol) {
        return files.values().stream().filter(file -> declares(file, symbol)).findFirst();
    }

    /**
     * Whether the file declares the symbol: a service, a method of one, a message, an enum, or what is nested in them.
     */
    private static boolean declares(FileDescriptor file, String symbol) {
        return file.getServices().stream().anyMatch(service -> declares(service, symbol))
                || file.getMessageTypes().stream().anyMatch(message -> declares(message, symbol))
                || isAmong(file.getEnumTypes(), symbol)
                || isAmong(file.getExtensions(), symbol);
    }

    private static boolean declares(ServiceDescriptor service, String symbol) {
        return service.getFullName().equals(symbol) || isAmong(service.getMethods(), symbol);
    }

    private static boolean declares(Descriptor message, String symbol) {
        return message.getFullName().equals(symbol)
                || message.getNestedTypes().stream().anyMatch(nested -> declares(nested, symbol))
                || isAmong(message.getEnumTypes(), symbol)
                || isAmong(message.getFields(), symbol);
    }

    private static boolean isAmong(List<? extends GenericDescriptor> declared, String symbol) {
        return declared.stream().anyMatch(one -> one.getFullName().equals(symbol));
    }

    private static void notFound(ServerReflectionResponse.Builder answer, String asked) {
        answer.setErrorResponse(ErrorResponse.newBuilder()
                .setErrorCode(GrpcStatus.NOT_FOUND.code)
                .setErrorMessage("this node does not describe " + asked));
    }
}
