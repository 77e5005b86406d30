package io.sealbook.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A batch that an earlier run of the program signed and that the client sends again, the same bytes under the same
 * number.
 *
 * @param number of the batch in the session
 * @param clOrdIds of its orders, in their order; not to be modified
 * @param receipt completes as if the batch had been submitted now
 */
public record ResentBatch(long number, List<Long> clOrdIds, CompletableFuture<Receipt> receipt) {}
