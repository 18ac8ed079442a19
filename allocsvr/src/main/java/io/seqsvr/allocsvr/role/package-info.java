/** Runs core's allocator on one event loop: clocks and answers in, effects out. */
@NullMarked
package io.seqsvr.allocsvr.role;

import org.jspecify.annotations.NullMarked;
