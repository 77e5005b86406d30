package io.sealbook.chaos.broker;

import java.nio.file.Path;
import java.util.List;

/**
 * What a broker's program does, as its arguments.
 *
 * @param cluster directory of the cluster, with the broker's directory
 * @param work directory of the program: its outbox, its ledgers, the file that ends it
 * @param brokerId in the genesis file
 * @param seed of the orders
 * @param books instruments, ids from 1
 * @param pauseMs ms between two batches
 */
public record BrokerTask(Path cluster, Path work, int brokerId, long seed, int books, long pauseMs) {
    static BrokerTask of(String[] arguments) {
        return new BrokerTask(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]),
                Integer.parseInt(arguments[4]),
                Long.parseLong(arguments[5]));
    }

    List<String> arguments() {
        return List.of(
                cluster.toString(),
                work.toString(),
                Integer.toString(brokerId),
                Long.toString(seed),
                Integer.toString(books),
                Long.toString(pauseMs));
    }

    /** Returns the file whose existence makes the program submit no more, wait for its receipts and end. */
    Path endFile() {
        return work.resolve("end");
    }
}
