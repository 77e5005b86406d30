package io.sealbook.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogonObstacleTest {
    private static final List<Integer> NODES = List.of(0, 1, 2, 3);

    private final Logger logger = Logger.getLogger(LogonObstacle.class.getName());
    private final List<LogRecord> lines = new ArrayList<>();
    private final Logon logon = new SessionLogon(AnswerQuorum.of(4), new SessionRange(0, 0), position -> {});
    private final LogonObstacle obstacle = new LogonObstacle(logon);
    private final Handler recording = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line);
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    };

    @BeforeEach
    void record() {
        logger.addHandler(recording);
    }

    @AfterEach
    void stopRecording() {
        logger.removeHandler(recording);
    }

    /** The first answers are never enough: a start without trouble writes nothing. */
    @Test
    void shouldSayOnceInTheLogWhatIsInTheWay() {
        replies(0, true);
        obstacle.onFailure(1, "PERMISSION_DENIED", NODES);
        assertThat(lines).isEmpty();

        for (int i = 0; i < 3; i++) {
            replies(0, true);
        }

        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.getParameters()[0])
                        .asString()
                        .contains("node 0 has 0, 0 in blocks, and suspends it")
                        .endsWith("; logon at node 1: PERMISSION_DENIED; no answer of node 2, 3"));
    }

    @Test
    void shouldForgetWhatIsInTheWayOnceTheSessionIsKnown() {
        obstacle.onFailure(0, "PERMISSION_DENIED", NODES);
        assertThat(obstacle.text())
                .hasValue("no node answered; logon at node 0: PERMISSION_DENIED; no answer of node 1, 2, 3");

        for (int node = 1; node <= 3; node++) {
            replies(node, false);
        }
        obstacle.onFailure(0, "PERMISSION_DENIED", NODES);

        assertThat(obstacle.text()).isEmpty();
        assertThat(lines).isEmpty();
    }

    private void replies(int nodeId, boolean isSuspended) {
        logon.onReply(
                nodeId,
                LogonReply.newBuilder()
                        .setNodeId(nodeId)
                        .addSessions(SessionState.newBuilder()
                                .setExpectedNumber(1)
                                .setPrevious(ByteString.copyFrom(new byte[32]))
                                .setSuspended(isSuspended))
                        .build());
        obstacle.onReply(nodeId, NODES);
    }
}
