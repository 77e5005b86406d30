/** Locks of files that one holder has at a time, in this process and among processes; files replaced as a whole. */
package io.sealbook.lock;
