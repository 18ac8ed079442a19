package io.seqsvr.proto.rpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.vertx.grpc.common.ServiceName;

/**
 * One method of a gRPC service, with one request: the same constant binds it at a server and calls it from a client, so
 * that both sides cannot disagree about names or types.
 *
 * @param <Q> request message
 * @param <R> reply message
 * @param descriptor the method as the .proto declares it, options included
 * @param defaultRequest an empty request
 * @param requestParser reads a request
 * @param replyParser reads a reply
 * @param itemsField number of the field of a request that holds its {@link RequestItems}; 0 if it has none
 */
public record RpcMethod<Q extends Message, R extends Message>(
        MethodDescriptor descriptor, Q defaultRequest, Parser<Q> requestParser, Parser<R> replyParser, int itemsField) {

    /**
     * Finds a method in a file.
     *
     * @param file the generated descriptor of the .proto file
     * @param service simple name of the service
     * @param method name of the method
     * @param request default instance of the request message
     * @param reply default instance of the reply message
     * @throws IllegalArgumentException if the file declares no such method with these types
     */
    @SuppressWarnings("unchecked") // getParserForType() of a generated message parses that message
    public static <Q extends Message, R extends Message> RpcMethod<Q, R> of(
            FileDescriptor file, String service, String method, Q request, R reply) {
        var serviceDescriptor = file.findServiceByName(service);
        var descriptor = serviceDescriptor == null ? null : serviceDescriptor.findMethodByName(method);
        if (descriptor == null
                || descriptor.getInputType() != request.getDescriptorForType()
                || descriptor.getOutputType() != reply.getDescriptorForType()) {
            throw new IllegalArgumentException(file.getName() + " declares no " + service + "." + method + " from "
                    + request.getDescriptorForType().getName() + " to "
                    + reply.getDescriptorForType().getName());
        }
        return new RpcMethod<>(
                descriptor, request, (Parser<Q>) request.getParserForType(), (Parser<R>) reply.getParserForType(), 0);
    }

    /**
     * The same, of whose requests nothing is read that their messages do not declare. Else it would be kept, at any
     * depth, with what is kept of a request, and nothing would say what it is for.
     */
    public RpcMethod<Q, R> withoutUnknownFields() {
        return new RpcMethod<>(
                descriptor, defaultRequest, DiscardUnknownFieldsParser.wrap(requestParser), replyParser, itemsField);
    }

    /** The same, whose requests hold their items in that field. */
    public RpcMethod<Q, R> withItems(int field) {
        return new RpcMethod<>(descriptor, defaultRequest, requestParser, replyParser, field);
    }

    /**
     * Reads a request.
     *
     * @throws RpcException if it has too many items, whatever else is wrong: then nothing was parsed
     * @throws InvalidProtocolBufferException if it is none
     */
    public Q parseRequest(byte[] bytes, int from, int length) throws RpcException, InvalidProtocolBufferException {
        if (itemsField > 0) {
            RequestItems.check(itemsField, bytes, from, length);
        }
        return requestParser.parseFrom(bytes, from, length);
    }

    /** Name of the service with its package, as gRPC paths bear it. */
    public ServiceName serviceName() {
        return ServiceName.create(descriptor.getService().getFullName());
    }

    /** The path of its HTTP/2 requests. */
    public String path() {
        return "/" + descriptor.getService().getFullName() + "/" + descriptor.getName();
    }

    /** Name of the method alone. */
    public String methodName() {
        return descriptor.getName();
    }
}
