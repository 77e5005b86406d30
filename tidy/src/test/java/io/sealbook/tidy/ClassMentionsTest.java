package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassMentionsTest {
    private static final ClassMentions MENTIONS =
            new ClassMentions(List.of(TextFile.of("core/src/main/java/A.java", """
            import java.nio.ByteBuffer;
            import io.sealbook.Frames.LongFrame;
            final class BatchReader {
                record ReadBatch() {}
            }
            """)));

    @Test
    void shouldAcceptClassesOfTheCheckoutAndWhatTheyImport() {
        assertThat(offences("core/README.md", "`BatchReader`, its ReadBatch; ByteBuffers and LongFrame"))
                .isEmpty();
        assertThat(offences("core/README.md", "an IllegalArgumentException over WebSocket"))
                .isEmpty();
    }

    @Test
    void shouldNoticeANameThatNoClassHas() {
        assertThat(offences("core/README.md", "text\n  BatchDecoder   reads a batch"))
                .containsExactly("core/README.md:2: names BatchDecoder, which is no class");
        assertThat(offences("core/src/main/java/package-info.java", " *   BlockReader ─▶ BatchReader"))
                .containsExactly("core/src/main/java/package-info.java:1: names BlockReader, which is no class");
    }

    @Test
    void shouldLeaveOtherFilesAlone() {
        assertThat(offences("docs/GLOSSARY.md", "MsgSeqNum of FIX")).isEmpty();
        assertThat(offences("core/src/main/java/B.java", "// OldName")).isEmpty();
    }

    private static List<String> offences(String path, String text) {
        return MENTIONS.offences(TextFile.of(path, text)).stream()
                .map(Offence::toString)
                .toList();
    }
}
