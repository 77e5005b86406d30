/**
 * The life of one order, from its signed entry to its end, out of the archive and the report files of a node: one model
 * for the command line, REST and brokers' programs.
 */
package io.sealbook.engine.trace;
