package io.sealbook.chaos.broker;

import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.chaos.ledger.LedgerWriter;
import io.sealbook.chaos.ledger.Ledgers;
import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.ResentBatch;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A broker's program with an outbox and a ledger. It goes on where its outbox ends, submits at its pace until its end
 * file exists, waits for all receipts and ends. It may be killed at any moment.
 *
 * <p>Exit code 0 if every batch has its receipt, 1 if one failed.
 */
public final class LedgerBroker {
    private static final int IN_FLIGHT_MAX = 64;

    private final BrokerTask task;
    private final LedgerWriter ledger;
    private final SeededOrders orders;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private int session;

    private LedgerBroker(BrokerTask task, LedgerWriter ledger) {
        this.task = task;
        this.ledger = ledger;
        this.orders = new SeededOrders(task.seed(), task.brokerId(), task.books());
    }

    /** @param args those of {@link BrokerTask} */
    public static void main(String[] args) throws IOException, InterruptedException {
        BrokerTask task = BrokerTask.of(args);
        long reportsFrom = lastReport(task) + 1;
        Throwable failure;
        try (LedgerWriter ledger = Ledgers.createNext(task.work())) {
            failure = new LedgerBroker(task, ledger).run(reportsFrom);
        }
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static long lastReport(BrokerTask task) throws IOException {
        return Ledgers.read(task.work()).stream()
                .flatMap(List::stream)
                .mapToLong(entry -> entry instanceof LedgerEntry.SeenReport seen
                        ? seen.report().reportSequence()
                        : 0)
                .max()
                .orElse(0);
    }

    private Throwable run(long reportsFrom) throws IOException, InterruptedException {
        GenesisFile genesis =
                GenesisFile.parse(Files.readAllBytes(task.cluster().resolve("genesis.json")));
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(task.cluster().resolve("broker" + task.brokerId())))
                .outbox(task.work().resolve("outbox"))
                .inFlightMax(IN_FLIGHT_MAX)
                .validityBlocks(genesis.genesis().getParameters().getValidityBlocksMax())
                .connectTimeout(BrokerPrograms.PATIENCE)
                .submitTimeout(BrokerPrograms.PATIENCE)
                .closeTimeout(BrokerPrograms.PATIENCE)
                .reportsFrom(reportsFrom)
                .executionReports(report -> ledger.write(new LedgerEntry.SeenReport(System.nanoTime(), report)))
                .connect()) {
            session = client.firstPosition().session();
            long first = client.firstPosition().number();
            ledger.write(new LedgerEntry.ProgramStart(System.nanoTime(), session, first, reportsFrom));
            for (ResentBatch batch : client.resent()) {
                follow(batch.number(), batch.receipt());
            }
            submit(client, first);
        }
        return failure.get();
    }

    private void submit(BrokerClient client, long first) throws InterruptedException {
        for (long number = first; failure.get() == null && !Files.exists(task.endFile()); number++) {
            List<Order> batch = orders.batch(number);
            ledger.write(new LedgerEntry.SubmittedBatch(System.nanoTime(), session, number, batch));
            follow(number, client.submit(batch));
            Thread.sleep(task.pauseMs());
        }
        while (client.inFlight() > 0 && failure.get() == null) {
            Thread.sleep(10);
        }
    }

    private void follow(long number, CompletableFuture<Receipt> receipt) {
        receipt.whenComplete((received, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
                String cause = Optional.ofNullable(failed.getMessage()).orElse(failed.toString());
                ledger.write(new LedgerEntry.FailedBatch(System.nanoTime(), session, number, cause));
            } else {
                ledger.write(new LedgerEntry.Acknowledgement(
                        System.nanoTime(),
                        session,
                        number,
                        received.blockSequence(),
                        received.batchIndex(),
                        HexFormat.of().formatHex(received.blockHash())));
            }
        });
    }
}
