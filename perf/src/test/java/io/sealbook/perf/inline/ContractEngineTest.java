package io.sealbook.perf.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.archive.Block;
import io.sealbook.perf.cluster.Home;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order book as a contract, in its process, beside the matching core. */
@Timeout(300)
class ContractEngineTest {
    private static final int BLOCKS = 200;

    @Test
    void shouldReportWhatTheMatchingCoreReports() throws IOException {
        RandomMarket market = new RandomMarket(20_261_122);
        ReportChain chain = new ReportChain();
        CoreExecution core = new CoreExecution(RandomMarket.genesis(), chain);
        try (ContractEngine contract = new ContractEngine(built(), RandomMarket.genesis())) {
            for (int i = 1; i <= BLOCKS; i++) {
                Block block = market.next();
                core.execute(block);

                assertThat(contract.execute(block)).as("block " + i).isEqualTo(chain.endBlock());
            }
            assertThat(contract.reports()).isEqualTo(chain.reports()).isGreaterThan(10_000);
            assertThat(contract.gas()).isPositive();
        }
    }

    @Test
    void shouldFailWithTheReasonOfTheProcess(@TempDir Path directory) throws IOException {
        ContractBuild built = built();
        Path wrong = Files.writeString(directory.resolve("wrong.hex"), "fe");

        assertThatThrownBy(() -> new ContractEngine(new ContractBuild(built.program(), wrong), RandomMarket.genesis()))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining("contract engine");
    }

    private static ContractBuild built() throws IOException {
        ContractBuild build = ContractBuild.of(Home.find());
        assumeTrue(build.missing().isEmpty(), "needs the contract engine: perf/evm/build.sh was not run");
        return build;
    }
}
