/**
 * StoreSvr: max_seq, epochs, sessions and routes, durable by consensus. {@link io.seqsvr.storesvr.StoreSvr} wires it.
 */
@NullMarked
package io.seqsvr.storesvr;

import org.jspecify.annotations.NullMarked;
