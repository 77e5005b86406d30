/** The life of one order, from its signed entry to its end, out of the archive and the report files. */
package io.sealbook.books.trace;
