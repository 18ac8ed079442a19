/** How a unary call and its typed error travel over gRPC, the same for every service and caller. */
@NullMarked
package io.seqsvr.proto.rpc;

import org.jspecify.annotations.NullMarked;
