/** What every node, a running process of a tier, stands on. */
@NullMarked
package io.seqsvr.node;

import org.jspecify.annotations.NullMarked;
