/** Clocks of single processes that are set, go wrong, or stand still. */
@NullMarked
package io.seqsvr.chaos.clock;

import org.jspecify.annotations.NullMarked;
