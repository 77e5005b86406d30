package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExecutionReportBuilderTest {
    private static RecordComponent[] fields() {
        return ExecutionReport.class.getRecordComponents();
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldSetEachFieldAndNoOther(RecordComponent field) throws ReflectiveOperationException {
        ExecutionReportBuilder builder = ExecutionReport.builder();
        ExecutionReport before = builder.build();
        Object value = another(field.getAccessor().invoke(before));

        ExecutionReportBuilder.class.getMethod(field.getName(), field.getType()).invoke(builder, value);

        ExecutionReport after = builder.build();
        assertThat(field.getAccessor().invoke(after)).isEqualTo(value);
        for (RecordComponent other : fields()) {
            if (!other.getName().equals(field.getName())) {
                assertThat(other.getAccessor().invoke(after))
                        .as(other.getName())
                        .isEqualTo(other.getAccessor().invoke(before));
            }
        }
        assertThat(after.toBuilder().build()).isEqualTo(after);
    }

    private static Object another(Object value) {
        if (value instanceof Long number) {
            return number + 7;
        }
        if (value instanceof Integer number) {
            return number + 7;
        }
        return Arrays.stream(((Enum<?>) value).getDeclaringClass().getEnumConstants())
                .filter(other -> other != value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldAnswerANewOrder() {
        ExecutionReport report = ExecutionReport.builder().clOrdId(3).build();

        assertThat(report.action()).isEqualTo(Action.NEW);
        assertThat(report.side()).isEqualTo(Side.BUY);
        assertThat(report.ordType()).isEqualTo(OrdType.LIMIT);
        assertThat(report.timeInForce()).isEqualTo(TimeInForce.DAY);
        assertThat(report.execType()).isEqualTo(ExecType.NEW);
        assertThat(report.ordStatus()).isEqualTo(OrdStatus.NEW);
        assertThat(report.rejectReason()).isEqualTo(RejectReason.NONE);
        assertThat(report.clOrdId()).isEqualTo(3);
    }
}
