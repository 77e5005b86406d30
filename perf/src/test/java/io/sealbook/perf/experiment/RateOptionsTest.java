package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RateOptionsTest {
    private final RateOptions options = new RateOptions();

    @Test
    void shouldRefuseARunThatDidNotKeepItsRate() {
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options)).parseArgs();

        assertThatNoException().isThrownBy(() -> options.check(99, 100, "batches"));
        assertThatNoException().isThrownBy(() -> options.check(0, 0, "batches"));
        assertThatIOException()
                .isThrownBy(() -> options.check(98.9, 100, "batches"))
                .withMessage("brokers submitted 98.9 batches/s, 100.0 were intended: less than --rate-min 99 %");
    }
}
