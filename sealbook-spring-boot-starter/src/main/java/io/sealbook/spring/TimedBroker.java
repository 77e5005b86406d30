package io.sealbook.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Submits orders and times them: {@code sealbook.client.receipts} is the time from the submission to the receipt, with
 * the tag {@code outcome}: {@code committed}, or the name of the exception. Any thread.
 */
public final class TimedBroker {
    private static final String TIMER = "sealbook.client.receipts";

    private final BrokerClient client;
    private final MeterRegistry registry;

    /**
     * Makes an interface to a client.
     *
     * @param client submits
     * @param registry takes the times
     */
    public TimedBroker(BrokerClient client, MeterRegistry registry) {
        this.client = client;
        this.registry = registry;
    }

    /** As {@link BrokerClient#submit(Order)}. */
    public CompletableFuture<Receipt> submit(Order order) {
        return timed(() -> client.submit(order));
    }

    /** As {@link BrokerClient#submit(List)}. */
    public CompletableFuture<Receipt> submit(List<Order> orders) {
        return timed(() -> client.submit(orders));
    }

    private CompletableFuture<Receipt> timed(Supplier<CompletableFuture<Receipt>> submission) {
        Timer.Sample start = Timer.start(registry);
        try {
            CompletableFuture<Receipt> receipt = submission.get();
            receipt.whenComplete((result, failure) -> stop(start, failure));
            return receipt;
        } catch (BrokerClientException e) {
            stop(start, e);
            throw e;
        }
    }

    private void stop(Timer.Sample start, Throwable failure) {
        String outcome = failure == null ? "committed" : failure.getClass().getSimpleName();
        start.stop(Timer.builder(TIMER)
                .description("from the submission to the receipt")
                .tag("outcome", outcome)
                .register(registry));
    }
}
