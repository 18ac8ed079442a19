/** The data directory: formatted on purpose, marked, locked. */
@NullMarked
package io.seqsvr.storesvr.disk;

import org.jspecify.annotations.NullMarked;
