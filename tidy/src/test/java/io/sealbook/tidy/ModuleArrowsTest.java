package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModuleArrowsTest {
    private static final List<TextFile> POMS =
            List.of(pom("leaf"), pom("core", "leaf", "vocabulary"), pom("shell", "core", "leaf"), pom("tool"));

    @Test
    void shouldAcceptArrowsThatThePomsHave() {
        assertThat(offences("""
                 LEAVES   leaf
                 CORES    core ─────▶ leaf     a core
                 SHELLS   shell ────▶ core,
                                      leaf     a shell
                 TOOLS    tool   in its tests shell, core
                """)).isEmpty();
    }

    @Test
    void shouldNoticeAnArrowThatIsMissing() {
        assertThat(offences("""
                 CORES    core ─────▶ leaf
                 SHELLS   shell ────▶ core     the leaf is not drawn
                """)).containsExactly("docs/ARCHITECTURE.md: shell ▶ [core], its pom says [core, leaf]");
    }

    @Test
    void shouldNoticeAnArrowThatNoPomHas() {
        assertThat(offences("""
                 CORES    core ─────▶ leaf, tool
                 SHELLS   shell ────▶ core, leaf
                """)).containsExactly("docs/ARCHITECTURE.md: core ▶ [leaf, tool], its pom says [leaf]");
    }

    @Test
    void shouldNoticeAModuleWithoutArrows() {
        assertThat(offences("""
                 CORES    core
                 SHELLS   shell ────▶ core, leaf
                """)).containsExactly("docs/ARCHITECTURE.md: core ▶ [], its pom says [leaf]");
    }

    private static List<String> offences(String picture) {
        List<TextFile> files = new ArrayList<>(POMS);
        files.add(TextFile.of("docs/ARCHITECTURE.md", picture));
        return ModuleArrows.offences(files).stream().map(Offence::toString).toList();
    }

    private static TextFile pom(String module, String... dependencies) {
        StringBuilder xml = new StringBuilder("<project><dependencies>");
        for (String dependency : dependencies) {
            xml.append("<dependency><groupId>io.sealbook</groupId><artifactId>")
                    .append(dependency)
                    .append("</artifactId></dependency>");
        }
        xml.append("<dependency><groupId>io.sealbook</groupId><artifactId>test-kit</artifactId><scope>test</scope>")
                .append("</dependency></dependencies></project>");
        return TextFile.of(module + "/pom.xml", xml.toString());
    }
}
