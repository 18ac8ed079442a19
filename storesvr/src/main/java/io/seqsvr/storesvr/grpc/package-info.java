/** StoreSvr's internal service: translates between the wire and the rules. */
@NullMarked
package io.seqsvr.storesvr.grpc;

import org.jspecify.annotations.NullMarked;
