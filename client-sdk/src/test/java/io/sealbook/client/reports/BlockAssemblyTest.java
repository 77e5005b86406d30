package io.sealbook.client.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ReportRun;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockAssemblyTest {
    private static final int RUN = ReportRun.COUNT_MAX;

    private final BlockAssembly assembly = new BlockAssembly();

    @Test
    void shouldCountRunsOfTheBlockThatIsWanted() {
        VouchedBlock wanted = block(301, 3 * RUN);
        assertThat(assembly.countWithin(wanted)).isZero();

        assembly.add(ReportBytes.fullRun(301));
        assertThat(assembly.countWithin(wanted)).isEqualTo(RUN);

        assembly.add(ReportBytes.fullRun(301 + RUN));
        assertThat(assembly.countWithin(wanted)).isEqualTo(2 * RUN);

        assembly.reset();
        assertThat(assembly.countWithin(wanted)).isZero();
    }

    @Test
    void shouldNotCountRunsOfAnotherBlock() {
        assembly.add(ReportBytes.fullRun(300));

        assertThat(assembly.countWithin(block(301, 3 * RUN))).isZero();
    }

    @Test
    void shouldNotCountRunsBeyondTheBlock() {
        VouchedBlock wanted = block(1, RUN);
        assembly.add(ReportBytes.fullRun(1));
        assembly.add(ReportBytes.fullRun(1 + RUN));

        assertThat(assembly.countWithin(wanted)).isZero();
    }

    private static VouchedBlock block(long first, int count) {
        return new VouchedBlock(first, count, Digest.of(new byte[Digest.LENGTH]), Optional.empty());
    }
}
