package io.sealbook.consensus.status;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a member can repeat without end must not fill the disks of the others. */
class EventRecorderTest {
    private static final int FAULTS = 10_000;
    /** Of 10,000 faults the 1st, 2nd, 4th, ..., 8,192nd. */
    private static final int LINES = 14;

    private final EventRecorder events =
            new EventRecorder(new NodeMetrics(new SimpleMeterRegistry(), new NodeState(Digest.ZERO)));
    private final Logger logger = (Logger) LoggerFactory.getLogger(EventRecorder.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void shouldLogFewOfTheMessagesThatAMemberSendsAgainstTheRules() {
        for (int i = 0; i < FAULTS; i++) {
            events.ignored(new BatchAck(List.of(), 2), IgnoreReason.QUOTA);
        }
        events.ignored(new BatchAck(List.of(), 2), IgnoreReason.WRONG_ROLE);
        events.ignored(new BatchAck(List.of(), 1), IgnoreReason.QUOTA);

        assertThat(lines.list).hasSize(LINES + 2);
        assertThat(lines.list.get(LINES - 1).getFormattedMessage())
                .isEqualTo("refused BatchAck of node 2: QUOTA, 8192 such messages so far");
        assertThat(lines.list.getLast().getFormattedMessage())
                .isEqualTo("refused BatchAck of node 1: QUOTA, 1 such messages so far");
    }

    @Test
    void shouldLogFewOfTheAnswersThatAreRefused() {
        for (int i = 0; i < FAULTS; i++) {
            events.transferRefused(2, 7, "no block");
            events.repairRefused(2, 7, "no block");
        }

        assertThat(lines.list).hasSize(2 * LINES);
    }

    /** A member can send one with each block of a transfer. */
    @Test
    void shouldLogFewOfTheCertificatesThatAreForged() {
        for (int i = 0; i < FAULTS; i++) {
            events.certificateRefused(2, i);
            events.transferBroken("block " + i + " does not link to the chain");
        }

        assertThat(lines.list).hasSize(2 * LINES);
        assertThat(lines.list.getFirst().getFormattedMessage())
                .isEqualTo(
                        "state transfer: certificate of block 0 of node 2 has no quorum, 1 such certificates so far");
    }
}
