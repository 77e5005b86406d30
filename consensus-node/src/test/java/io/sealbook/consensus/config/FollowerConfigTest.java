package io.sealbook.consensus.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class FollowerConfigTest {
    @Test
    void shouldNeedNoSetting() {
        FollowerConfig config = FollowerConfig.of(new Properties());

        assertThat(config.source().addresses()).isEmpty();
        assertThat(config.source().confirm()).isEqualTo(SourceConfig.Confirm.MEMBERS);
        assertThat(config.resultsTo()).isEmpty();
    }

    @Test
    void shouldReadSourcesInTheirOrder() {
        assertThat(FollowerConfig.of(properties("sources", "b.example:7102, a.example:7102"))
                        .source()
                        .addresses())
                .containsExactly("b.example:7102", "a.example:7102");
    }

    @Test
    void shouldRefuseWhatIsNoAddressAndWhatIsUnknown() {
        assertThatThrownBy(() -> FollowerConfig.of(properties("sources", "somewhere")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("follower.properties: sources: 'somewhere' is neither members nor HOST:PORT");
        assertThatThrownBy(() -> FollowerConfig.of(properties("results-to", "7102")))
                .hasMessage("follower.properties: results-to=7102 is neither none nor HOST:PORT");
        assertThatThrownBy(() -> FollowerConfig.of(properties("node-id", "0")))
                .hasMessageStartingWith("follower.properties: unknown keys [node-id]");
    }

    /** Ids of the chain have 32 bits without a sign. */
    @Test
    void shouldReadEveryIdOfAnAuditor() {
        assertThat(FollowerConfig.of(properties("auditor-id", "4294967295")).auditorId())
                .isEqualTo(-1);
        assertThat(FollowerConfig.of(properties("auditor-id", "7")).auditorId()).isEqualTo(7);
        for (String text : new String[] {"-1", "4294967296"}) {
            assertThatThrownBy(() -> FollowerConfig.of(properties("auditor-id", text)))
                    .hasMessage("follower.properties: auditor-id=" + text + " is no number from 0 to 4294967295");
        }
    }

    @Test
    void shouldDescribeEveryKeyInTheManual() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        String manual = Files.readString(root.resolve("docs/OPERATING.md"));
        String message =
                catchThrowable(() -> FollowerConfig.of(properties("none", "1"))).getMessage();

        assertThat(message.replaceAll(".*known are \\[|]$", "").split(", "))
                .hasSizeGreaterThan(15)
                .allSatisfy(key -> assertThat(manual).contains("`" + key + "`"));
    }

    private static Properties properties(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }
}
