package io.sealbook.perf.bench.matching;

import io.sealbook.matching.InstrumentConfig;
import io.sealbook.perf.flow.FlowCommand;
import io.sealbook.perf.flow.FlowStep;
import io.sealbook.perf.flow.OrderFlow;
import java.util.ArrayList;
import java.util.List;

/** A flow as primitive arrays, so that reading it costs next to nothing. Every id is unique in the flow and above 0. */
final class Messages {
    final List<InstrumentConfig> instruments;
    final FlowCommand.Kind[] kind;
    final int[] book;
    final boolean[] isBuy;
    final long[] id;
    final long[] originalId;
    final long[] price;
    final long[] quantity;

    private Messages(List<InstrumentConfig> instruments, int count) {
        this.instruments = instruments;
        this.kind = new FlowCommand.Kind[count];
        this.book = new int[count];
        this.isBuy = new boolean[count];
        this.id = new long[count];
        this.originalId = new long[count];
        this.price = new long[count];
        this.quantity = new long[count];
    }

    int count() {
        return kind.length;
    }

    private void set(int i, int bookNumber, FlowCommand command) {
        kind[i] = command.kind();
        book[i] = bookNumber;
        isBuy[i] = command.isBuy();
        id[i] = command.clOrdId();
        originalId[i] = command.origClOrdId();
        price[i] = command.price();
        quantity[i] = command.quantity();
    }

    /** Returns the first {@code count} entries of a flow for one instrument. */
    static Messages of(OrderFlow flow, int count) {
        InstrumentConfig instrument = new InstrumentConfig(
                1, flow.symbol(), flow.priceDecimals(), flow.priceMin(), flow.priceMax(), flow.quantityMax(), true);
        List<FlowCommand> commands = new ArrayList<>();
        for (FlowStep step : flow.steps()) {
            commands.addAll(step.commands());
        }
        if (commands.size() < count) {
            throw new IllegalArgumentException(flow.name() + " has " + commands.size() + " entries, expected " + count);
        }
        Messages messages = new Messages(List.of(instrument), count);
        for (int i = 0; i < count; i++) {
            messages.set(i, 0, commands.get(i));
        }
        return messages;
    }

    /** Returns a flow over many instruments: entry {@code i} of {@code commands} goes to {@code books[i]}. */
    static Messages of(List<InstrumentConfig> instruments, int[] books, List<FlowCommand> commands) {
        Messages messages = new Messages(instruments, commands.size());
        for (int i = 0; i < books.length; i++) {
            messages.set(i, books[i], commands.get(i));
        }
        return messages;
    }
}
