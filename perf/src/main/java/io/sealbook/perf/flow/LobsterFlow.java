package io.sealbook.perf.flow;

import io.sealbook.perf.flow.FlowStep.ExpectedLevels;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads a LOBSTER day as order flow. Rows of the message file: time, type, order id, size, price (1/10,000 dollar),
 * direction (1 buy, -1 sell, of the resting order); rows of the orderbook file: ask price, ask size, bid price, bid
 * size for each level, after the message.
 *
 * <p>Type 1 becomes a limit order, 2 a reducing replace (or a cancel when nothing is left), 3 a cancel, 4 an
 * immediate-or-cancel order of the other side at that price; 5 to 7 do not touch the visible book.
 *
 * <p><b>What the file lacks.</b> Orders from before the file's start become one synthetic order per level, from the
 * first orderbook row with its message undone. A file of N levels has no levels beyond the best N; a level that comes
 * back into that window is therefore set to the orderbook file's volume by synthetic orders. Only such levels are ever
 * set, so that a wrong match, a lost order or a wrong priority at any visible level still shows.
 */
final class LobsterFlow {
    private static final int TICK = 100;
    private static final int PRICE_DECIMALS = 2;
    /** LOBSTER's filler for a level that does not exist. */
    private static final long NO_LEVEL = 9_999_999_999L;

    private record Message(int type, long orderId, long size, long price, boolean isBuy) {}

    private final ReferenceBook book = new ReferenceBook();
    private final Map<Long, Deque<ReferenceBook.Resting>> unknownOrders = new HashMap<>();
    private final List<FlowStep> steps = new ArrayList<>();
    private List<FlowCommand> commands = new ArrayList<>();
    private final long[] deepest = new long[2];
    private final boolean[] hasDeepest = new boolean[2];
    private long syntheticIds;
    private long clOrdIds;
    private long priceMin = Long.MAX_VALUE;
    private long priceMax;
    private long quantityMax = 1_000_000;

    private LobsterFlow() {}

    static boolean looksLike(String firstLine) {
        return firstLine.matches("\\d+\\.\\d+,[1-7],\\d+,\\d+,-?\\d+,-?1");
    }

    static OrderFlow read(Path messageFile) throws IOException {
        Path bookFile =
                messageFile.resolveSibling(messageFile.getFileName().toString().replace("_message_", "_orderbook_"));
        if (bookFile.equals(messageFile) || !Files.isReadable(bookFile)) {
            throw new IOException(messageFile + ": the orderbook file beside it (..._orderbook_...) is missing");
        }
        try (BufferedReader messages = FlowFiles.open(messageFile);
                BufferedReader levels = FlowFiles.open(bookFile)) {
            return new LobsterFlow().convert(messageFile.getFileName().toString(), messages, levels);
        }
    }

    static OrderFlow readZip(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry messageEntry = null;
            ZipEntry bookEntry = null;
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
                messageEntry = entry.getName().contains("_message_") ? entry : messageEntry;
                bookEntry = entry.getName().contains("_orderbook_") ? entry : bookEntry;
            }
            if (messageEntry == null || bookEntry == null) {
                throw new IOException(file + " holds no LOBSTER pair of ..._message_... and ..._orderbook_... files");
            }
            try (BufferedReader messages = FlowFiles.reader(zip.getInputStream(messageEntry));
                    BufferedReader levels = FlowFiles.reader(zip.getInputStream(bookEntry))) {
                return new LobsterFlow().convert(messageEntry.getName(), messages, levels);
            }
        }
    }

    private OrderFlow convert(String fileName, BufferedReader messages, BufferedReader levels) throws IOException {
        int row = 0;
        try {
            for (String line = messages.readLine(); line != null; line = messages.readLine()) {
                row++;
                String levelLine = levels.readLine();
                if (levelLine == null) {
                    throw new IOException(fileName + ": the orderbook file ends before message row " + row);
                }
                Message message = parseMessage(line);
                ExpectedLevels expected = parseLevels(levelLine);
                if (row == 1) {
                    openBook(message, expected);
                }
                onMessage(message);
                syncWindow(expected, true);
                syncWindow(expected, false);
                commands.forEach(command -> quantityMax = Math.max(quantityMax, command.quantity()));
                steps.add(new FlowStep(List.copyOf(commands), null, expected));
                commands = new ArrayList<>();
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(fileName + ":" + row + ": not a LOBSTER row: " + e.getMessage(), e);
        }
        String symbol = fileName.replaceAll(".*/", "").replaceAll("_.*", "");
        return new OrderFlow(
                "LOBSTER " + symbol,
                symbol,
                PRICE_DECIMALS,
                Math.max(1, priceMin / 2),
                priceMax * 2,
                quantityMax,
                steps);
    }

    private Message parseMessage(String line) {
        String[] fields = line.split(",");
        int type = Integer.parseInt(fields[1]);
        // Halts and crosses carry no price of the book.
        long price = type <= 4 ? ticks(Long.parseLong(fields[4])) : 0;
        return new Message(
                type, Long.parseLong(fields[2]), Long.parseLong(fields[3]), price, Integer.parseInt(fields[5]) == 1);
    }

    private ExpectedLevels parseLevels(String line) {
        String[] fields = line.split(",");
        int depth = fields.length / 4;
        return new ExpectedLevels(depth, side(fields, depth, 2), side(fields, depth, 0));
    }

    private long[] side(String[] fields, int depth, int offset) {
        long[] levels = new long[2 * depth];
        int length = 0;
        for (int level = 0; level < depth; level++) {
            long price = Long.parseLong(fields[4 * level + offset]);
            long size = Long.parseLong(fields[4 * level + offset + 1]);
            if (size > 0 && Math.abs(price) != NO_LEVEL) {
                levels[length++] = ticks(price);
                levels[length++] = size;
            }
        }
        return length == levels.length ? levels : Arrays.copyOf(levels, length);
    }

    private long ticks(long price) {
        if (price % TICK != 0) {
            throw new NumberFormatException("price " + price + " is not a whole number of cents");
        }
        priceMin = Math.min(priceMin, price / TICK);
        priceMax = Math.max(priceMax, price / TICK);
        return price / TICK;
    }

    /** Rests one synthetic order a level: the first orderbook row with the first message undone. */
    private void openBook(Message first, ExpectedLevels expected) {
        long undo = switch (first.type()) {
            case 1 -> -first.size();
            case 2, 3, 4 -> first.size();
            default -> 0;
        };
        for (boolean isBuy : new boolean[] {true, false}) {
            long[] levels = isBuy ? expected.bids() : expected.asks();
            boolean isUndone = undo == 0 || first.isBuy() != isBuy;
            for (int i = 0; i < levels.length; i += 2) {
                boolean isTouched = !isUndone && levels[i] == first.price();
                isUndone |= isTouched;
                long quantity = levels[i + 1] + (isTouched ? undo : 0);
                if (quantity > 0) {
                    restSynthetic(isBuy, levels[i], quantity);
                }
            }
            if (!isUndone && undo > 0) {
                restSynthetic(isBuy, first.price(), undo);
            }
            rememberDeepest(isBuy, levels);
        }
    }

    private void onMessage(Message message) {
        switch (message.type()) {
            case 1 ->
                enter(message.orderId(), FlowCommand.Kind.LIMIT, message.isBuy(), message.price(), message.size());
            case 2, 3 -> onCancel(message);
            case 4 -> enter(0, FlowCommand.Kind.IMMEDIATE_OR_CANCEL, !message.isBuy(), message.price(), message.size());
            default -> {
                // Hidden executions, crosses and halts leave the visible book as it is.
            }
        }
    }

    private void enter(long id, FlowCommand.Kind kind, boolean isBuy, long price, long quantity) {
        long clOrdId = ++clOrdIds;
        commands.add(new FlowCommand(kind, clOrdId, 0, isBuy, price, quantity));
        long leaves = quantity;
        for (ReferenceBook.Fill fill : book.match(isBuy, price, quantity)) {
            leaves -= fill.quantity();
        }
        if (leaves > 0 && kind == FlowCommand.Kind.LIMIT) {
            book.rest(new ReferenceBook.Resting(id, clOrdId, isBuy, price, quantity, leaves));
        }
    }

    private void onCancel(Message message) {
        ReferenceBook.Resting order = book.find(message.orderId());
        if (order == null) {
            cutLevel(message.isBuy(), message.price(), message.size());
            return;
        }
        long cut = Math.min(order.leaves, message.size());
        reduce(order, cut);
        if (cut < message.size()) {
            cutLevel(message.isBuy(), message.price(), message.size() - cut);
        } else if (message.type() == 3 && order.leaves > 0) {
            // It is gone by the file, yet volume of it is left: it filled outside the window, so its rest belongs to
            // orders unknown.
            unknownAt(message.isBuy(), message.price()).add(order);
        }
    }

    /** Takes volume off a level whose true order is unknown: synthetic orders first, then the newest. */
    private void cutLevel(boolean isBuy, long price, long quantity) {
        Deque<ReferenceBook.Resting> unknown = unknownAt(isBuy, price);
        while (quantity > 0 && !unknown.isEmpty()) {
            ReferenceBook.Resting order = unknown.peek();
            long cut = Math.min(order.leaves, quantity);
            if (cut > 0) {
                reduce(order, cut);
                quantity -= cut;
            }
            if (order.leaves == 0) {
                unknown.remove();
            }
        }
        List<ReferenceBook.Resting> known = book.ordersAt(isBuy, price);
        for (int i = known.size() - 1; i >= 0 && quantity > 0; i--) {
            long cut = Math.min(known.get(i).leaves, quantity);
            reduce(known.get(i), cut);
            quantity -= cut;
        }
    }

    private void reduce(ReferenceBook.Resting order, long cut) {
        long clOrdId = ++clOrdIds;
        boolean isGone = cut == order.leaves;
        long total = isGone ? 0 : order.total - cut;
        commands.add(new FlowCommand(
                isGone ? FlowCommand.Kind.CANCEL : FlowCommand.Kind.REPLACE,
                clOrdId,
                order.clOrdId,
                order.isBuy,
                isGone ? 0 : order.price,
                total));
        book.take(order, cut);
        order.total = total;
        order.clOrdId = clOrdId;
    }

    private void syncWindow(ExpectedLevels expected, boolean isBuy) {
        int side = isBuy ? 1 : 0;
        long[] levels = isBuy ? expected.bids() : expected.asks();
        if (hasDeepest[side]) {
            for (int i = 0; i < levels.length; i += 2) {
                if (isBeyond(isBuy, levels[i], deepest[side])) {
                    setLevel(isBuy, levels[i], levels[i + 1]);
                }
            }
            if (levels.length > 0) {
                cancelStale(isBuy, levels);
            }
        }
        rememberDeepest(isBuy, levels);
    }

    private void setLevel(boolean isBuy, long price, long quantity) {
        long have = book.quantityAt(isBuy, price);
        if (have < quantity) {
            restSynthetic(isBuy, price, quantity - have);
        } else if (have > quantity) {
            cutLevel(isBuy, price, have - quantity);
        }
    }

    /** Removes levels that came into the window in our book and are not in the file's. */
    private void cancelStale(boolean isBuy, long[] levels) {
        long last = levels[levels.length - 2];
        long bound = deepest[isBuy ? 1 : 0];
        if (!isBeyond(isBuy, last, bound)) {
            return;
        }
        for (long price : List.copyOf(book.prices(isBuy))) {
            if (isBeyond(isBuy, price, bound) && !isBeyond(isBuy, price, last) && !holds(levels, price)) {
                for (ReferenceBook.Resting order : book.ordersAt(isBuy, price)) {
                    reduce(order, order.leaves);
                }
            }
        }
    }

    private void restSynthetic(boolean isBuy, long price, long quantity) {
        long id = --syntheticIds;
        long clOrdId = ++clOrdIds;
        commands.add(new FlowCommand(FlowCommand.Kind.LIMIT, clOrdId, 0, isBuy, price, quantity));
        ReferenceBook.Resting order = new ReferenceBook.Resting(id, clOrdId, isBuy, price, quantity, quantity);
        book.rest(order);
        unknownAt(isBuy, price).add(order);
    }

    private void rememberDeepest(boolean isBuy, long[] levels) {
        int side = isBuy ? 1 : 0;
        hasDeepest[side] = levels.length > 0;
        deepest[side] = levels.length > 0 ? levels[levels.length - 2] : 0;
    }

    private Deque<ReferenceBook.Resting> unknownAt(boolean isBuy, long price) {
        return unknownOrders.computeIfAbsent(isBuy ? price : -price, key -> new ArrayDeque<>());
    }

    private static boolean isBeyond(boolean isBuy, long price, long bound) {
        return isBuy ? price < bound : price > bound;
    }

    private static boolean holds(long[] levels, long price) {
        for (int i = 0; i < levels.length; i += 2) {
            if (levels[i] == price) {
                return true;
            }
        }
        return false;
    }
}
