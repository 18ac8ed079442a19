/** Backups of StoreSvr's state: how fast it moves, and the directory in which one is kept. */
@NullMarked
package io.seqsvr.storesvr.backup;

import org.jspecify.annotations.NullMarked;
