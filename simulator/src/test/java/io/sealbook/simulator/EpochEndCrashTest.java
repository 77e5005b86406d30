package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.port.CommitTask;
import io.sealbook.vocabulary.SessionKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every machine fails between the certificate of an administrative block in its log and the same in its archive, among
 * them the blocks that end epochs: no node has told another one of the end.
 */
class EpochEndCrashTest {
    private static final int SEEDS = 24;

    @Test
    void shouldBeginTheNextEpochAfterEveryNodeDiedAtTheEndOfOne() {
        int deaths = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Scenario calm = ScenarioKind.SMALL
                    .of(seed)
                    .with(ScenarioKnob.FAULTY, 0)
                    .with(ScenarioKnob.CRASHES, 0)
                    .with(ScenarioKnob.PARTITIONS, 0)
                    .with(ScenarioKnob.LOSS, 0);
            DyingAtTheEnd simulation = new DyingAtTheEnd(calm);
            simulation.run();
            deaths += simulation.deaths.size();
        }

        assertThat(deaths).isGreaterThan(SEEDS);
    }

    private static final class DyingAtTheEnd extends Simulation {
        private final Set<Long> administrative = new HashSet<>();
        private final Set<String> deaths = new HashSet<>();

        private DyingAtTheEnd(Scenario scenario) {
            super(scenario, null);
        }

        @Override
        NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
            NodePorts dying = new NodePorts(
                    ports.peers(),
                    ports.sink(),
                    task -> take(node, task) && ports.commits().test(task),
                    ports.inputs(),
                    ports.epochEnded(),
                    ports.background(),
                    ports.state(),
                    ports.events());
            return super.open(node, setup, files, dying);
        }

        private boolean take(SimulatedNode node, CommitTask task) {
            if (task instanceof CommitTask.Deliver deliver
                    && deliver.batches().stream().anyMatch(batch -> SessionKey.isAdministration(batch.sessionKey()))) {
                administrative.add(deliver.proposal().sequence());
            }
            if (task instanceof CommitTask.StoreCertificate store) {
                long sequence = store.certificate().sequence();
                if (administrative.contains(sequence) && deaths.add(node.id + " after block " + sequence)) {
                    node.crashPoint.arm(0);
                    node.crashPoint.pass();
                }
            }
            return true;
        }
    }
}
