/** Asks servers as any program could that knows nothing but the public .proto files. */
@NullMarked
package io.seqsvr.chaos.grpc;

import org.jspecify.annotations.NullMarked;
