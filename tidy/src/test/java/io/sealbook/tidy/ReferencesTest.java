package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReferencesTest {
    private static final List<TextFile> FILES = List.of(
            TextFile.of("pbft/doc/pitfalls.md", "# Pitfalls\n\n## 1 Votes of an old view\n\n## Pitfall 12: More"),
            TextFile.of("docs/decisions/0003-view-in-the-proposal.md", ""),
            TextFile.of("pbft/README.md", ""),
            TextFile.of("docs/HACKING.md", ""));

    @Test
    void shouldFindFilesFromTheFolderTheModuleAndTheRoot() {
        assertThat(facts("docs/A.md", "[a](HACKING.md) [b](../pbft/README.md) [c](decisions/)"))
                .isEmpty();
        assertThat(facts("pbft/src/A.java", "// See doc/pitfalls.md and pbft/doc/pitfalls.md."))
                .isEmpty();
        assertThat(facts("pbft/README.md", "[a](doc/pitfalls.md#1-votes) [b](https://example.org/x.md) [c](#top)"))
                .isEmpty();
    }

    @Test
    void shouldNoticeAMissingFile() {
        assertThat(facts("docs/A.md", "[a](GONE.md)")).containsExactly("links to GONE.md, which does not exist");
        assertThat(facts("pbft/src/A.java", "// See doc/gone.md."))
                .containsExactly("names doc/gone.md, which does not exist");
    }

    @Test
    void shouldNoticeAnUnknownPitfall() {
        assertThat(facts("pbft/src/A.java", "// Pitfall 1, pitfall 12.")).isEmpty();
        assertThat(facts("pbft/src/A.java", "// pitfall 2")).containsExactly("names pitfall 2, which does not exist");
    }

    @Test
    void shouldNoticeAnUnknownDecision() {
        assertThat(facts("perf/README.md", "handed over by reference (decision 3)"))
                .isEmpty();
        assertThat(facts("perf/README.md", "(decision 4)")).containsExactly("names decision 4, which does not exist");
    }

    @Test
    void shouldNoticeARequirementsNumber() {
        assertThat(facts("a/A.java", "// A requirement of the paper.")).isEmpty();
        assertThat(facts("a/A.java", "// requirement D1"))
                .containsExactly("names requirement D1, which does not exist");
    }

    private static List<String> facts(String path, String text) {
        TextFile file = TextFile.of(path, text);
        List<TextFile> all = Stream.concat(FILES.stream(), Stream.of(file)).toList();
        return new References(all, "docs/decisions"::equals)
                .offences(file).stream().map(Offence::fact).toList();
    }
}
