package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineWidthTest {
    private static final String WORDS = "word ".repeat(24);

    @Test
    void shouldAllow120ColumnsAndNotOneMore() {
        String line = WORDS.strip() + "s";

        assertThat(line).hasSize(120);
        assertThat(LineWidth.offences(TextFile.of("a/A.java", line))).isEmpty();
        assertThat(LineWidth.offences(TextFile.of("a/A.java", "short\n" + line + "s")))
                .containsExactly(new Offence("width", "a/A.java", 2, "121 columns"));
    }

    @Test
    void shouldCountACharacterOutsideTheFirstPlaneOnce() {
        assertThat(LineWidth.offences(TextFile.of("a/README.md", "\uD83D\uDE00 ".repeat(60))))
                .isEmpty();
    }

    @Test
    void shouldJudgeEveryKindOfSource() {
        for (String name : new String[] {"a.c", "a.h", "a.cu", "a.md", "a.proto", "a.js", "run", "a.yml"}) {
            assertThat(LineWidth.offences(TextFile.of(name, WORDS + "beyond"))).hasSize(1);
        }
    }

    @Test
    void shouldExemptTableRowsInMarkdownAlone() {
        String row = "| " + WORDS + " | beyond |";

        assertThat(LineWidth.offences(TextFile.of("a/README.md", row))).isEmpty();
        assertThat(LineWidth.offences(TextFile.of("a/A.java", row))).hasSize(1);
    }

    @Test
    void shouldExemptASingleWord() {
        String word = "\"" + "0f".repeat(64) + "\",";

        assertThat(LineWidth.offences(TextFile.of("a/A.java", "        + " + word)))
                .isEmpty();
        assertThat(LineWidth.offences(TextFile.of("a/README.md", "- https://" + "a".repeat(150))))
                .isEmpty();
        assertThat(LineWidth.offences(TextFile.of("a/A.java", "        foo = " + word)))
                .hasSize(1);
    }
}
