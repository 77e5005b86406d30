package io.sealbook.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueEndTest {
    private static final int DAY = 20_000;

    @TempDir
    Path directory;

    @Test
    void shouldNameTheNewestBlockAsTheQueueGrows() {
        TestNode node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        TestFlow flow = new TestFlow(1);
        try (QueueEnd end = new QueueEnd(directory.resolve("queue/blocks"))) {
            assertThat(end.lastSequence()).isZero();

            for (int block = 1; block <= 3; block++) {
                node.commitFlow(flow, 1, 1, 2);
                assertThat(end.lastSequence()).isEqualTo(block);
            }
            assertThat(end.lastSequence()).isEqualTo(3);
        }
    }

    @Test
    void shouldFollowIntoTheNextDaysFile() {
        TestNode node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        TestFlow flow = new TestFlow(1);
        node.setDay(DAY);
        node.commitFlow(flow, 2, 1, 2);
        try (QueueEnd end = new QueueEnd(directory.resolve("queue/blocks"))) {
            assertThat(end.lastSequence()).isEqualTo(2);
            node.setDay(DAY + 1);
            node.commitFlow(flow, 5, 1, 2);

            assertThat(end.lastSequence()).isEqualTo(7);
        }
    }
}
