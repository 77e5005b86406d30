package io.sealbook.consensus.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.sealbook.facts.Facts;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SourceBoardTest {
    private static final List<String> ADDRESSES = List.of("node_0:7102", "<:7102", "[:7102", "%zz:7102");

    private final List<FeedCall.Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final SourceBoard board = new SourceBoard(
            new SourceAddresses(() -> ADDRESSES, InsecureChannelCredentials.create(), Optional.empty()),
            Digest.sha256(new byte[0]),
            arrivals::add);

    @Test
    void shouldTakeSourcesToWhichNoChannelCanBeBuiltAsDown() throws Exception {
        long nowNs = 0;
        board.follow(ADDRESSES, nowNs);

        board.open(1, 0, nowNs);

        Facts.await("ends of all streams", () -> arrivals.size() == ADDRESSES.size());
        assertThat(arrivals).allMatch(arrival -> arrival.end().getCode() == Status.Code.UNAVAILABLE);
        arrivals.forEach(arrival -> board.ended(arrival, nowNs));
        assertThat(board.current()).isNull();
        assertThat(board.faults()).isEmpty();
        board.close();
    }
}
