/** The front door: whom a request goes to, by what is seen of the cluster. */
@NullMarked
package io.seqsvr.core.front;

import org.jspecify.annotations.NullMarked;
