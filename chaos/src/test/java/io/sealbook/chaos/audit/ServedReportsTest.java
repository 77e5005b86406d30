package io.sealbook.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.v1.ReportFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ServedReportsTest {
    private static final int LENGTH = ExecutionReportDecoder.HEADER_LENGTH + ExecutionReportDecoder.BLOCK_LENGTH;

    private final List<ExecutionReport> agreed =
            LongStream.rangeClosed(1, 3).mapToObj(i -> decoded(frame(100 * i))).toList();

    @Test
    void shouldFindNothingInEqualReports() {
        assertThat(ServedReports.difference(
                        agreed, List.of(frame(100, 200), frame(300)).iterator()))
                .isEmpty();
    }

    @Test
    void shouldNotWaitForMoreThanWasAgreedOn() {
        assertThat(ServedReports.difference(
                        agreed, List.of(frame(100, 200), frame(300, 400)).iterator()))
                .isEmpty();
    }

    @Test
    void shouldNameAReportThatIsAnotherOne() {
        assertThat(ServedReports.difference(
                        agreed, List.of(frame(100), frame(201, 300)).iterator()))
                .hasValueSatisfying(fact -> assertThat(fact).contains("served", "quantity=201", "quantity=200"));
    }

    @Test
    void shouldFindThatReportsAreMissing() {
        assertThat(ServedReports.difference(agreed, List.of(frame(100, 200)).iterator()))
                .hasValue("2 are served, 3 are agreed on");
    }

    private static ExecutionReport decoded(ReportFrame frame) {
        return ExecutionReportDecoder.decode(
                ByteBuffer.wrap(frame.getReports().toByteArray()).order(ByteOrder.LITTLE_ENDIAN), 0);
    }

    private static ReportFrame frame(long... quantities) {
        byte[] bytes = new byte[quantities.length * LENGTH];
        for (int i = 0; i < quantities.length; i++) {
            new ExecutionReportEncoder()
                    .wrapAndApplyHeader(new UnsafeBuffer(bytes), i * LENGTH, new MessageHeaderEncoder())
                    .quantity(quantities[i]);
        }
        return ReportFrame.newBuilder().setReports(ByteString.copyFrom(bytes)).build();
    }
}
