package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that have ended, and whose clients do not read that: frame by frame. */
@Timeout(300)
class EndedCallsTest extends PortOfFrames {
    private static final int DROPPED_CALLS = 8;
    private static final int FIRST_DROPPED = 5;

    /** The status waits for the answers before it, and these for a window. */
    @Test
    void shouldResetAStreamThatIsRefusedAndWhoseAnswersAreNotRead() throws Exception {
        Http2Client client = client(0);
        client.call(1, "greet");
        client.begin(1, 90_000);
        client.pieces(1, UnfinishedRequests.PIECES_MAX + 1, 1);

        client.awaitReset(1);
        assertThat(refusals).hasSize(1);
        Facts.await("its place", () -> places.count() == 0);
    }

    @Test
    void shouldDropWhatComesForACallThatHasEnded() throws Exception {
        Http2Client client = client(0);
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "end");
            client.begin(stream, 90_000);
        }
        client.ping();
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[1]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
        assertThat(client.isReset(1)).as("it may still read").isFalse();
        assertThat(places.count()).isEqualTo(4);
        for (int stream = 1; stream < 8; stream += 2) {
            client.widen(stream, 10_000);
            client.awaitEnd(stream);
        }
        Facts.await("their places", () -> places.count() == 0);
    }

    /** gRPC ends the call itself, and takes nothing more of its stream. */
    @Test
    void shouldCountNothingThatComesForACallWhoseServiceHasFailed() throws Exception {
        server.shutdownNow();
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS);
        start(unfinished);
        Http2Client client = client();
        client.call(1, "fail");
        client.begin(1, 1);
        client.data(1, new byte[1]);
        client.awaitEnd(1);

        client.pieces(1, FEW_PIECES, 1);
        client.ping();

        assertThat(unfinished.bytesThatWait()).isZero();
    }

    /** The last piece completes the message, and is one too many. */
    @Test
    void shouldKeepAMessageFromItsServiceIfItsLastPieceIsTooMuch() throws Exception {
        Http2Client client = client();
        client.call(1, "greet");
        client.begin(1, UnfinishedRequests.PIECES_MAX + 1);
        client.pieces(1, UnfinishedRequests.PIECES_MAX, 1);
        client.ping();
        assertThat(refusals).isEmpty();

        client.data(1, new byte[1]);

        client.awaitEnd(1);
        assertThat(refusals).hasSize(1);
        assertThat(messages).hasValue(0);
    }

    @Test
    void shouldResetACallThatHasEndedIfItsAnswerIsNotRead() throws Exception {
        server.shutdownNow();
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, 1));
        Http2Client client = client(0);
        for (int stream = 1; stream < 20; stream += 2) {
            client.call(stream, "one");
            client.ask(stream);
        }

        client.awaitReset(19);
        Facts.await("places", () -> places.count() == 0);
    }

    /** Its windows are wide, and it reads nothing from its socket: ends of calls wait there. */
    @Test
    void shouldCloseAConnectionThatReadsNothing() throws Exception {
        Http2Client client = clientWithAFullSocket(1);

        AtomicInteger last = new AtomicInteger(1);
        awaitClosed(() -> client.call(last.addAndGet(2), "refuse"));
        Facts.await("places", () -> places.count() == 0);
    }

    /** HTTP/2 has such a stream open on its side until the status is written. */
    @Test
    void shouldCloseAConnectionThatReadsNothingAndHasEndedItsRequests() throws Exception {
        Http2Client client = clientWithAFullSocket(1);

        AtomicInteger last = new AtomicInteger(1);
        awaitClosed(() -> client.callAndEnd(last.addAndGet(2), "refuse"));
        Facts.await("places", () -> places.count() == 0);
    }

    /** No service has them, and the status of each waits in the socket. */
    @Test
    void shouldDropWhatComesForACallOfAnUnknownMethod() throws Exception {
        Http2Client client = clientWithAFullSocket(LONGER_THAN_A_TEST_MS);

        assertThat(directBytesOfDroppedCalls(client, "unknown")).isLessThan(FEW_BYTES);
    }

    @Test
    void shouldDropWhatComesForACallThatIsTooFast() throws Exception {
        server.shutdownNow();
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS);
        Rates rates = new Rates(1, Rates.BYTES_MAX);
        start(unfinished, rates, () -> 0);
        Http2Client client = flooded();
        client.call(3, "refuse");

        assertThat(directBytesOfDroppedCalls(client, "refuse")).isLessThan(FEW_BYTES);
        assertThat(refusals).hasSize(DROPPED_CALLS);
    }

    /** Returns what the server holds more after many pieces of calls that a client has begun who reads nothing. */
    private long directBytesOfDroppedCalls(Http2Client client, String method) throws Exception {
        for (int i = 0; i < DROPPED_CALLS; i++) {
            client.call(FIRST_DROPPED + 2 * i, method);
        }
        awaitRead(client);
        long before = directBytes();
        for (int round = 0; round < FEW_PIECES; round++) {
            for (int i = 0; i < DROPPED_CALLS; i++) {
                client.data(FIRST_DROPPED + 2 * i, new byte[1]);
                client.fill(FILL_BYTES);
            }
        }
        awaitRead(client);
        return directBytes() - before;
    }

    /** Waits until the server has read all that came; its answer to a ping would have to be read. */
    private void awaitRead(Http2Client client) throws Exception {
        int before = messages.get();
        client.begin(1, 0);
        Facts.await("message of the first call", () -> messages.get() > before);
    }

    /** Its calls have no service that could end them. */
    @Test
    void shouldCloseAConnectionThatReadsNothingAndCallsUnknownMethods() throws Exception {
        Http2Client client = clientWithAFullSocket(1);

        AtomicInteger last = new AtomicInteger(1);
        awaitClosed(() -> client.call(last.addAndGet(2), "unknown"));
        Facts.await("places", () -> places.count() == 0);
    }

    /** @param unreadMs after which calls that have ended are not kept for it */
    private Http2Client clientWithAFullSocket(long unreadMs) throws Exception {
        server.shutdownNow();
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, unreadMs));
        return flooded();
    }

    /** Returns a client that reads nothing from now on, and for which more is on its way than sockets take. */
    private Http2Client flooded() throws Exception {
        Http2Client client = client(MORE_THAN_SOCKETS_TAKE);
        client.widen(0, MORE_THAN_SOCKETS_TAKE);
        client.call(1, "flood");
        // What is sent after it is answered after the flood.
        awaitRead(client);
        return client;
    }

    /** The status of a request that is too large waits in the socket, after what another call answers. */
    @Test
    void shouldKeepAConnectionThatIsBusyWhenOneOfItsCallsIsTooMuch() throws Exception {
        Http2Client client = clientWithAFullSocket(LONGER_THAN_A_TEST_MS);
        client.call(3, "one");
        client.begin(3, 40_000);
        client.send(3, 40_000);
        Facts.await("refusal", () -> refusals.size() == 1);
        awaitRead(client);

        client.awaitEnd(3);
        client.awaitBytes(1, MORE_THAN_SOCKETS_TAKE);
        assertThat(client.isReset(3)).isFalse();
    }

    @Test
    void shouldCountWhatIsTooMuchUntilItsStatusIsWritten() throws Exception {
        server.shutdownNow();
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS);
        start(unfinished);
        Http2Client client = flooded();
        client.call(3, "one");
        client.begin(3, 30_000);
        client.pieces(3, UnfinishedRequests.PIECES_MAX, 1);

        Facts.await("refusal", () -> refusals.size() == 1);
        Facts.await("its pieces", () -> unfinished.pieces() > 0);
        client.awaitEnd(3);
        Facts.await("no pieces", () -> unfinished.pieces() == 0);
    }

    @Test
    void shouldKeepTheAnswerForASlowReader() throws Exception {
        Http2Client client = client(0);
        client.call(1, "one");
        client.ask(1);
        for (int i = 0; i < 101; i++) {
            client.ping();
            client.widen(1, 10);
        }

        client.awaitEnd(1);
        assertThat(client.isReset(1)).isFalse();
    }

    @Test
    void shouldResetAtOnceACallWhosePlaceIsNeeded() throws Exception {
        Http2Client client = client(0);
        client.call(1, "leave");

        client.awaitReset(1);
        Facts.await("its place", () -> places.count() == 0);
        Http2Client reader = client();
        reader.call(1, "leave");
        reader.awaitEnd(1);
        assertThat(reader.isReset(1)).isFalse();
    }

    /** A thread that is not that of the connection ends it, in the moment in which gRPC flushes an earlier message. */
    @Test
    void shouldKeepTheConnectionOfACallWhosePlaceIsNeededAndWhoseAnswerIsRead() throws Exception {
        Http2Client client = client();
        client.call(1, "yield");

        client.awaitEnd(1);
        assertThat(client.isReset(1)).isFalse();
        client.ping();
        Facts.await("its place", () -> places.count() == 0);
    }

    /** gRPC ends it before a service, or what counts places, has seen it. */
    @Test
    void shouldDropWhatComesForACallOfAnUnknownEncoding() throws Exception {
        server.shutdownNow();
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS);
        start(unfinished);
        Http2Client client = client();
        client.callCompressed(1, "pause", "gzip");
        client.awaitEnd(1);
        assertThat(places.count()).isZero();

        client.begin(1, 90_000);
        client.pieces(1, FEW_PIECES, 1);
        client.ping();

        assertThat(unfinished.bytesThatWait() + unfinished.pieces()).isZero();
        client.call(3, "one");
        client.ask(3);
        client.awaitEnd(3);
    }

    /** As many as one connection may have at once, and as many again: the place of each is free after its request. */
    @Test
    void shouldReturnThePlacesOfCallsOfUnknownEncodings() throws Exception {
        Http2Client client = client();
        for (int stream = 1; stream < 4 * CALLS_MAX; stream += 2) {
            client.callCompressed(stream, "pause", "snappy");
            client.awaitEnd(stream);
            client.ask(stream);
        }

        assertThat(refusals).isEmpty();
        assertThat(paused).isEmpty();
    }

    private interface Sending {
        void send() throws IOException;
    }

    /** Waits until the server has closed the connection of a client that goes on sending. */
    private static void awaitClosed(Sending more) throws Exception {
        Facts.await("the end of the connection", () -> {
            try {
                more.send();
                return false;
            } catch (IOException closed) {
                return true;
            }
        });
    }
}
