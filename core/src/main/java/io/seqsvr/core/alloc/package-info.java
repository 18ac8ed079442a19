/** The allocator as a role without input or output: what one running AllocSvr knows and decides. */
@NullMarked
package io.seqsvr.core.alloc;

import org.jspecify.annotations.NullMarked;
