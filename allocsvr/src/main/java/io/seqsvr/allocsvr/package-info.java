/** AllocSvr: hands out sequences from memory. {@link io.seqsvr.allocsvr.AllocSvr} wires it. */
@NullMarked
package io.seqsvr.allocsvr;

import org.jspecify.annotations.NullMarked;
