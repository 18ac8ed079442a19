/** Disks that fail: a process whose syncs and writes go wrong, and file systems that lose their power. */
@NullMarked
package io.seqsvr.chaos.disk;

import org.jspecify.annotations.NullMarked;
