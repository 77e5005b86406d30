/** Which reports refuse batches that the program knows to have expired, so that they end nothing submitted since. */
package io.sealbook.client.expiry;
