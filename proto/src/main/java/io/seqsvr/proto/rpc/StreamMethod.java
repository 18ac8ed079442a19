package io.seqsvr.proto.rpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * One method of a gRPC service that streams both ways, and whose messages pass as bytes.
 *
 * @param descriptor the method as the .proto declares it
 */
public record StreamMethod(MethodDescriptor descriptor) {
    /**
     * Finds a method in a file.
     *
     * @param file the generated descriptor of the .proto file
     * @param service simple name of the service
     * @param method name of the method
     * @throws IllegalArgumentException if the file declares no such method, or it does not stream both ways
     */
    public static StreamMethod of(FileDescriptor file, String service, String method) {
        var serviceDescriptor = file.findServiceByName(service);
        var descriptor = serviceDescriptor == null ? null : serviceDescriptor.findMethodByName(method);
        if (descriptor == null || !descriptor.isClientStreaming() || !descriptor.isServerStreaming()) {
            throw new IllegalArgumentException(
                    file.getName() + " declares no " + service + "." + method + " that streams both ways");
        }
        return new StreamMethod(descriptor);
    }

    /** The path of its HTTP/2 requests. */
    public String path() {
        return "/" + descriptor.getService().getFullName() + "/" + descriptor.getName();
    }
}
