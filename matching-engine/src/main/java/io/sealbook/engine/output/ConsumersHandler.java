package io.sealbook.engine.output;

import com.lmax.disruptor.EventHandler;
import java.util.List;

/** One ring stage for several light consumers: fewer threads to wake on a small machine. */
public final class ConsumersHandler implements EventHandler<OutputFrame> {
    private final List<OutputConsumer> consumers;
    private final OutputMessages messages = new OutputMessages();

    public ConsumersHandler(List<OutputConsumer> consumers) {
        this.consumers = List.copyOf(consumers);
    }

    @Override
    public void onEvent(OutputFrame frame, long sequence, boolean isEndOfBatch) {
        for (OutputConsumer consumer : consumers) {
            messages.forEach(frame.bytes(), frame.length(), frame.firstIndex(), consumer);
            if (frame.isLast()) {
                consumer.onBlockEnd(frame.blockEnd());
            }
        }
    }
}
