/** An application that asks a cluster, as a process of its own to which harm can be done. */
@NullMarked
package io.seqsvr.chaos.caller;

import org.jspecify.annotations.NullMarked;
