package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormatsTest {
    private static final String PRODUCT = "block-archive/src/main/java/A.java";

    @Test
    void shouldNoticeTheLanguageOfTheMachine() {
        String text =
                "a = String.format(\"%d\", 1);\nb = \"%d\".formatted(1);\nc = String.format(\n        \"%d\", 1);";

        assertThat(Formats.offences(TextFile.of(PRODUCT, text)))
                .extracting(Offence::line)
                .containsExactly(1, 2, 3);
    }

    @Test
    void shouldAllowALocaleAndTheLaboratory() {
        String text =
                "a = String.format(Locale.ROOT, \"%d\", 1);\nb = String.format(\n        Locale.ROOT, \"%d\", 1);";

        assertThat(Formats.offences(TextFile.of(PRODUCT, text))).isEmpty();
        assertThat(Formats.offences(TextFile.of("perf/src/main/java/A.java", "\"%d\".formatted(1)")))
                .isEmpty();
    }
}
