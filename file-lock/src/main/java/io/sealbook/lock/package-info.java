/**
 * Locks of files that one holder has at a time, in this process and among processes; files replaced as a whole; what
 * the failures of file systems say.
 */
package io.sealbook.lock;
