/** What the finished program does, asked of real processes that {@code ./seqsvr} starts. */
@NullMarked
package io.seqsvr.cli.process;

import org.jspecify.annotations.NullMarked;
