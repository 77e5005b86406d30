package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the console shows of the market, whenever the answers come. */
@Timeout(300)
class ConsoleMarketTest {
    @TempDir
    private Path work;

    @Test
    void shouldShowDepthWithoutTrades() throws Exception {
        List<JsonNode> shown = ConsolePage.market(work, """
                answers["/api/depth/1"] = depth(41);
                answers["/api/trades/1"] = new Error();
                open(page);
                await until(() => sockets.length > 0 || byId("link-text").textContent);
                show();
                """);

        assertThat(shown.getFirst().path("bid").asString()).isEqualTo("41");
        assertThat(shown.getFirst().path("link").asString()).isEmpty();
    }
}
