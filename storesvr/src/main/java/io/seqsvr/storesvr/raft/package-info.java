/** Ratis: the group member and its state machine. Nothing outside this package knows Ratis. */
@NullMarked
package io.seqsvr.storesvr.raft;

import org.jspecify.annotations.NullMarked;
