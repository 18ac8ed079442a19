/** StoreSvr's rules: commands, replies, state, and the decisions that turn one into the other. */
@NullMarked
package io.seqsvr.core.store;

import org.jspecify.annotations.NullMarked;
