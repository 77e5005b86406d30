/** Locks of files that one holder has at a time, in this process and among processes. */
package io.sealbook.lock;
