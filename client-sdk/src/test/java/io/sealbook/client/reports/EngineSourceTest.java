package io.sealbook.client.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ReportRun;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How much of a block an engine may send: two of four engines must vouch for the same. */
class EngineSourceTest {
    private static final int RUN = ReportRun.COUNT_MAX;
    private static final int NEEDED = 2;

    private final EngineSource sender = source();
    private final EngineSource other = source();
    private final EngineSource[] all = {sender, other, source(), source()};

    @Test
    void shouldHoldALongBlockThatNoOtherEngineBearsOut() throws Exception {
        assertThat(mayGoOn()).isTrue();

        sender.take(run(1), 1);

        assertThat(mayGoOn()).isFalse();
    }

    @Test
    void shouldGoOnAsFarAsAnotherEngineVouchesFor() throws Exception {
        other.take(digest(1, 2 * RUN), 1);
        sender.take(run(1), 1);
        sender.take(run(1 + RUN), 1);
        assertThat(mayGoOn()).isTrue();

        sender.take(run(1 + 2 * RUN), 1);

        assertThat(mayGoOn()).isFalse();
    }

    @Test
    void shouldGoOnAsFarAsAnotherEngineHasCome() throws Exception {
        sender.take(run(1), 1);
        other.take(run(1), 1);
        assertThat(mayGoOn()).isTrue();

        sender.take(run(1 + RUN), 1);

        assertThat(mayGoOn()).isFalse();
        assertThat(other.mayGoOn(1, NEEDED, all)).isTrue();
    }

    @Test
    void shouldGoOnWithinWhatIsAgreed() throws Exception {
        sender.take(run(1), 1);

        assertThat(sender.mayGoOn(1 + RUN, NEEDED, all)).isTrue();
    }

    /** There is no other engine that could bear anything out. */
    @Test
    void shouldGoOnWhereOneEngineIsBelieved() throws Exception {
        sender.take(run(1), 1);

        assertThat(sender.mayGoOn(1, 1, sender)).isTrue();
    }

    private boolean mayGoOn() {
        return sender.mayGoOn(1, NEEDED, all);
    }

    /** Whose first run is as much as it may send alone. */
    private static EngineSource source() {
        EngineSource source = new EngineSource(1);
        source.begin(1);
        return source;
    }

    private static BlockReports digest(long first, int count) {
        return BlockReports.newBuilder()
                .setFirstSequence(first)
                .setCount(count)
                .setDigest(ByteString.copyFrom(new byte[Digest.LENGTH]))
                .setIsLast(true)
                .build();
    }

    private static BlockReports run(long first) {
        List<byte[]> reports = LongStream.range(first, first + RUN)
                .mapToObj(sequence -> ReportBytes.accepted(sequence, 3, 1, 0, 0, sequence))
                .toList();
        return BlockReports.newBuilder()
                .setFirstSequence(first)
                .setCount(RUN)
                .addRuns(ByteString.copyFrom(ReportBytes.run(reports)))
                .build();
    }
}
