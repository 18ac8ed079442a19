/** Settings files: YAML in, checked values or every error at once out. */
@NullMarked
package io.seqsvr.node.settings;

import org.jspecify.annotations.NullMarked;
