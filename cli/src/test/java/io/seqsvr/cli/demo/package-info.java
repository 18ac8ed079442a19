/** Tests of what is said of clusters that are broken on purpose. */
@NullMarked
package io.seqsvr.cli.demo;

import org.jspecify.annotations.NullMarked;
