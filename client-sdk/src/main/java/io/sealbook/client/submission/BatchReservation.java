package io.sealbook.client.submission;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Room for one batch, which its holder must use, once. Any thread. */
public interface BatchReservation {
    /**
     * Puts orders in line as a batch of its own, after all that is in line. Does not wait.
     *
     * @param orders 1..orderCountMax of the genesis file
     * @return the receipt of the batch
     * @throws ClientClosedException if the client takes no more; the room is free then
     */
    CompletableFuture<Receipt> put(List<Order> orders);
}
