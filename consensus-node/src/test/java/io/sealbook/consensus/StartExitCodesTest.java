package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.NodeTool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wrong setting and a wrong command line have the exit codes that the manual's table gives them. */
@Timeout(300)
class StartExitCodesTest {
    @TempDir
    private Path files;

    private NodeDirectory node;

    @BeforeEach
    void writeWrongSettings() throws Exception {
        TestGenesis.write(files.resolve("net"), 7100);
        node = new NodeDirectory(files.resolve("net/node0"));
        Files.writeString(node.propertiesFile(), "ring-sise=3\n", StandardOpenOption.APPEND);
        Files.writeString(node.root().resolve("follower.properties"), "ring-sise=3\n");
    }

    @Test
    void shouldEndAsTheManualSays() throws IOException {
        for (String command : List.of("start", "follow")) {
            StringWriter output = new StringWriter();
            assertThat(execute(output, command, node.root().toString())).isEqualTo(codeOf("the setting, the file"));
            assertThat(output.toString()).as(command).contains("unknown keys [ring-sise]");
            assertThat(execute(new StringWriter(), command, "--no-such-option"))
                    .as(command)
                    .isEqualTo(codeOf("wrong use of the command line"));
        }
    }

    private static int execute(StringWriter output, String... arguments) {
        return NodeTool.commandLine().setErr(new PrintWriter(output, true)).execute(arguments);
    }

    /** Returns the code of the row that says it. */
    private static int codeOf(String meaning) throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        String manual = Files.readString(root.resolve("docs/OPERATING.md"));
        List<String> rows = manual.substring(manual.indexOf("### Exit codes"))
                .lines()
                .filter(line -> line.startsWith("| ") && line.contains(meaning))
                .toList();
        assertThat(rows).as(meaning).hasSize(1);
        return Integer.parseInt(rows.getFirst().split("\\|")[1].strip());
    }
}
