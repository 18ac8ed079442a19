/** What a namespace is: its settings, and how its users fall into segments and slots. */
@NullMarked
package io.seqsvr.core.namespace;

import org.jspecify.annotations.NullMarked;
