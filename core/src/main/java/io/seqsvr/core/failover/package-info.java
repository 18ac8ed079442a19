/** The failover controller: from what is seen of the cluster to the next assignment of segments. */
@NullMarked
package io.seqsvr.core.failover;

import org.jspecify.annotations.NullMarked;
