/** AllocSvr's public service: translates between the wire and the rules. */
@NullMarked
package io.seqsvr.allocsvr.grpc;

import org.jspecify.annotations.NullMarked;
