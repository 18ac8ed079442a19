/** What callers are shown of the cluster: pictures of who owns what, and the changes that lead from one to another. */
@NullMarked
package io.seqsvr.core.picture;

import org.jspecify.annotations.NullMarked;
