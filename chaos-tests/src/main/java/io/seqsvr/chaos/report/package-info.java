/** What runs against real clusters leave behind, and what many of them amount to: files, tables and pages. */
@NullMarked
package io.seqsvr.chaos.report;

import org.jspecify.annotations.NullMarked;
