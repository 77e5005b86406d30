package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose requests wait: frame by frame. */
@Timeout(300)
class InboundFramesTest extends PortOfFrames {
    /** A piece of one byte would hold the buffer of the network, with all that the server ignores in it. */
    @Test
    void shouldHoldNoBuffersOfPiecesThatWait() throws Exception {
        Http2Client client = client();
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "pause");
        }
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[1]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
        assertThat(refusals).isEmpty();
    }

    /** A frame without content needs no window. */
    @Test
    void shouldHoldNoBuffersOfFramesWithoutContent() throws Exception {
        Http2Client client = client();
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "greet");
        }
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[0]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
    }

    @Test
    void shouldEndAStreamWhenTooMuchOfItsHolderWaits() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        int stream = -1;
        while (refusals.isEmpty()) {
            stream += 2;
            assertThat(stream).isLessThan(2 * CALLS_MAX);
            client.call(stream, "pause");
            for (int i = 0; i < 100 && refusals.isEmpty(); i++) {
                client.pieces(stream, 100, 1);
                client.ping();
            }
        }

        client.awaitEnd(stream);
        assertThat(refusals)
                .containsExactly("address 127.0.0.1 has more than 16777216 bytes that wait on its streams, the most"
                        + " that one may have");
        assertThat(unfinished.bytesThatWait()).isBetween(1L, (long) UnfinishedRequests.WAITING_BYTES_MAX);
        client.close();
        Facts.await("nothing waits", () -> unfinished.bytesThatWait() == 0);
    }

    /** A node that is busy asks for orders later: its brokers' windows are full meanwhile. */
    @Test
    void shouldKeepStreamsWhoseWindowsAreFull() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        int count = 8;
        int messagesOfWindow = 10;
        for (int i = 0; i < count; i++) {
            int stream = 2 * i + 1;
            client.call(stream, "pause");
            for (int j = 0; j < messagesOfWindow; j++) {
                client.begin(stream, 100_000);
                client.send(stream, 100_000);
            }
            client.ping();
        }
        assertThat(refusals).isEmpty();
        assertThat(unfinished.bytesThatWait()).isGreaterThan(8_000_000);

        // Each round lets a part in, so that some always waits.
        for (int round = 0; round < messagesOfWindow; round++) {
            paused.forEach(stream -> stream.request(1));
            int whole = (round + 1) * count;
            Facts.await("messages of round " + round, () -> messages.get() == whole);
        }
        Facts.await("nothing waits", () -> unfinished.bytesThatWait() == 0);
        assertThat(refusals).isEmpty();
    }

    /** Pieces of a stream that is always behind a little, many times as many as may wait. */
    @Test
    void shouldForgetPiecesThatWereTaken() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        client.call(1, "pause");
        client.begin(1, 100_000);
        client.send(1, 100_000);
        for (int i = 1; i < 400; i++) {
            client.begin(1, 100_000);
            client.send(1, 100_000);
            client.ping();
            paused.peek().request(1);
            int whole = i;
            Facts.await("message", () -> messages.get() == whole);
            assertThat(unfinished.bytesThatWait()).isLessThan(300_000);
        }

        assertThat(refusals).isEmpty();
    }
}
