package io.sealbook.perf.bench.matching;

import io.sealbook.matching.InstrumentConfig;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.flow.FlowCommand;
import io.sealbook.perf.flow.FlowCommand.Kind;
import io.sealbook.perf.flow.FlowFiles;
import io.sealbook.perf.flow.RecordedDay;
import io.sealbook.perf.flow.SyntheticFlow;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The flows that the matching benchmarks run on, by name. */
final class MessageSource {
    /** A day made from a seed; every machine has it. */
    static final String SAMPLE = "sample";

    static final String SHANGHAI = "shanghai";
    static final String NASDAQ = "nasdaq";
    static final String BOOKS_2000 = "books2000";

    private static final long SEED = 23;
    private static final int BOOKS = 2_000;
    private static final int PRICES = 36_000;
    private static final int STANDING_ORDERS = 2_700;

    private MessageSource() {}

    /**
     * Returns the first entries of a flow.
     *
     * @param name of the flow
     * @param count number of entries
     * @throws NoSuchFileException if it is a recorded day that is not on this machine
     */
    static Messages named(String name, int count) throws IOException {
        return named(name, count, FlowFiles.dataDirectory(Home.find()));
    }

    /**
     * Returns the first entries of a flow.
     *
     * @param name of the flow
     * @param count number of entries
     * @param data where recorded days are looked for
     * @throws NoSuchFileException if it is a recorded day that the machine lacks
     */
    static Messages named(String name, int count, Path data) throws IOException {
        return switch (name) {
            case BOOKS_2000 -> thinBooks(BOOKS, count);
            case SAMPLE ->
                Messages.of(SyntheticFlow.generate("SAMPLE", SEED, count, SyntheticFlow.Mix.LIMITS_AND_CANCELS), count);
            case SHANGHAI -> Messages.of(FlowFiles.read(find(RecordedDay.SHANGHAI, data)), count);
            case NASDAQ -> Messages.of(FlowFiles.read(find(RecordedDay.NASDAQ, data)), count);
            default -> throw new IllegalArgumentException("no flow is named " + name);
        };
    }

    private static Path find(RecordedDay day, Path data) throws IOException {
        return day.find(data)
                .orElseThrow(() -> new NoSuchFileException(
                        data.toString(),
                        null,
                        "needs recorded days: no " + day.fileNameStart() + "* below it, so the flow " + day.flowName()
                                + " cannot run; choose others with -p flow=" + SAMPLE + "," + BOOKS_2000));
    }

    /**
     * Books with much coming and going, each order in a book drawn at random: of 100 messages about 50 new orders (15 %
     * of them immediate), 41 cancels, 9 replaces, and about 2,700 orders standing.
     */
    private static Messages thinBooks(int bookCount, int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<InstrumentConfig> instruments = new ArrayList<>();
        for (int i = 1; i <= bookCount; i++) {
            instruments.add(new InstrumentConfig(i, "I" + i, 2, 1, PRICES, 1_000_000, false));
        }
        int[] books = new int[count];
        List<FlowCommand> commands = new ArrayList<>();
        List<FlowCommand> standing = new ArrayList<>();
        List<Integer> standingBooks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int draw = random.nextInt(100);
            FlowCommand command;
            if (standing.size() > STANDING_ORDERS || standing.size() > 100 && draw >= 50) {
                int victim = random.nextInt(standing.size());
                FlowCommand order = standing.get(victim);
                books[i] = standingBooks.get(victim);
                if (draw >= 91) {
                    command = new FlowCommand(
                            Kind.REPLACE, i + 1, order.clOrdId(), order.isBuy(), price(random, order.isBuy()), 100);
                    standing.set(victim, command);
                } else {
                    command = new FlowCommand(Kind.CANCEL, i + 1, order.clOrdId(), order.isBuy(), 0, 0);
                    remove(standing, standingBooks, victim);
                }
            } else {
                boolean isBuy = random.nextBoolean();
                boolean isImmediate = random.nextInt(100) < 15;
                books[i] = random.nextInt(bookCount);
                command = new FlowCommand(
                        isImmediate ? Kind.IMMEDIATE_OR_CANCEL : Kind.LIMIT,
                        i + 1,
                        0,
                        isBuy,
                        price(random, isBuy),
                        100 * (1 + random.nextInt(5)));
                if (!isImmediate) {
                    standing.add(command);
                    standingBooks.add(books[i]);
                }
            }
            commands.add(command);
        }
        return Messages.of(instruments, books, commands);
    }

    /** Buys lie mostly below and sells mostly above the middle; one in ten reaches over. */
    private static long price(SplittableRandom random, boolean isBuy) {
        long behind = random.nextInt(40) - 4;
        return PRICES / 2 + (isBuy ? -behind : behind);
    }

    private static void remove(List<FlowCommand> standing, List<Integer> books, int index) {
        int last = standing.size() - 1;
        standing.set(index, standing.get(last));
        books.set(index, books.get(last));
        standing.remove(last);
        books.remove(last);
    }
}
