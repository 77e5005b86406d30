/** What a broker has signed, on its own disk: the next run of its program sends the same bytes again. */
package io.sealbook.client.outbox;
