/** What a broker's accounts hold, proven by all results of the broker and the signed entries that they refer to. */
package io.sealbook.archive.position;
