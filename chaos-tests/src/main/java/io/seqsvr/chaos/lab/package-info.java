/** Places for nodes in which more can go wrong than processes. */
@NullMarked
package io.seqsvr.chaos.lab;

import org.jspecify.annotations.NullMarked;
