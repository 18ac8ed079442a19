/** The Raft leader's soft state: session timers, and the proposals that follow from them. */
@NullMarked
package io.seqsvr.storesvr.expiry;

import org.jspecify.annotations.NullMarked;
