/** What the tests of every package share: seeds, clocks and a store, all by hand. */
@NullMarked
package io.seqsvr.core;

import org.jspecify.annotations.NullMarked;
