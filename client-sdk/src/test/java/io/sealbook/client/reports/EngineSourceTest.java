package io.sealbook.client.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.client.reports.EngineSource.FaultException;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ReportRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

        sender.take(ReportBytes.fullRun(1), 1);

        assertThat(mayGoOn()).isFalse();
    }

    @Test
    void shouldGoOnAsFarAsAnotherEngineVouchesFor() throws Exception {
        other.take(digest(1, 2 * RUN), 1);
        sender.take(ReportBytes.fullRun(1), 1);
        sender.take(ReportBytes.fullRun(1 + RUN), 1);
        assertThat(mayGoOn()).isTrue();

        sender.take(ReportBytes.fullRun(1 + 2 * RUN), 1);

        assertThat(mayGoOn()).isFalse();
    }

    @Test
    void shouldGoOnAsFarAsAnotherEngineHasCome() throws Exception {
        sender.take(ReportBytes.fullRun(1), 1);
        other.take(ReportBytes.fullRun(1), 1);
        assertThat(mayGoOn()).isTrue();

        sender.take(ReportBytes.fullRun(1 + RUN), 1);

        assertThat(mayGoOn()).isFalse();
        assertThat(other.mayGoOn(NEEDED, all)).isTrue();
    }

    /** A client that resumes within a block has the block again from its beginning; others vouch for all of it. */
    @Test
    void shouldGoOnInABlockInWhichItResumes() throws Exception {
        long next = 1 + RUN;
        for (EngineSource source : all) {
            source.begin(next);
        }
        sender.take(ReportBytes.fullRun(1), next);
        assertThat(mayGoOn()).isFalse();

        other.take(digest(1, 3 * RUN), next);

        assertThat(mayGoOn()).isTrue();
    }

    /** Each would let the engine send without end what is never compared. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1_000_001, Long.MAX_VALUE})
    void shouldRefuseABlockThatBeginsElsewhere(long first) {
        sender.begin(1_000_000);

        assertThatThrownBy(() -> sender.take(
                        ReportBytes.fullRun(1).toBuilder()
                                .setFirstSequence(first)
                                .build(),
                        1_000_000))
                .isInstanceOf(FaultException.class);
    }

    /** Each frame ends one block and begins the next one: all blocks count, wherever frames end. */
    @Test
    void shouldHoldAnEngineThatIsFarAheadWithinABlock() throws Exception {
        long first = 1;
        int frames = 0;
        sender.take(ReportBytes.fullRun(first), 1);
        while (frames < 1_000 && isGranted()) {
            frames++;
            sender.take(
                    ReportBytes.fullRun(first + RUN).toBuilder().setIsLast(true).build(), 1);
            first += 2 * RUN;
            sender.take(ReportBytes.fullRun(first), 1);
        }

        assertThat(frames).isEqualTo(4_096 / (2 * RUN));
    }

    /** There is no other engine that could bear anything out. */
    @Test
    void shouldGoOnWhereOneEngineIsBelieved() throws Exception {
        sender.take(ReportBytes.fullRun(1), 1);

        assertThat(sender.mayGoOn(1, sender)).isTrue();
    }

    private boolean isGranted() {
        sender.onFrame();
        return sender.grant(1);
    }

    private boolean mayGoOn() {
        return sender.mayGoOn(NEEDED, all);
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
}
