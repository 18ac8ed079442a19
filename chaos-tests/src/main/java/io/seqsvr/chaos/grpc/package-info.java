/** Asks servers as any program could that knows nothing but the public .proto files. */
@org.jspecify.annotations.NullMarked
package io.seqsvr.chaos.grpc;
