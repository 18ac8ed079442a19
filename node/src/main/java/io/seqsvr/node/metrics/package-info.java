/** The meters that every node has. */
@NullMarked
package io.seqsvr.node.metrics;

import org.jspecify.annotations.NullMarked;
