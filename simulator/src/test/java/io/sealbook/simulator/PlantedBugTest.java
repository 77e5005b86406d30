package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.WrongQuorum;
import io.sealbook.vocabulary.Digest;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The checker is worth what it finds: each bug planted here must be found within a stated number of seeds. */
class PlantedBugTest {
    private static final int SEEDS_MAX = 400;

    private static String find(Function<Scenario, Simulation> withBug) {
        for (long seed = 0; seed < SEEDS_MAX; seed++) {
            try {
                withBug.apply(Scenario.of(seed)).run();
            } catch (SimulationFailure e) {
                return e.getMessage();
            }
        }
        return "not found in " + SEEDS_MAX + " seeds";
    }

    @Test
    void shouldFindAQuorumThatIsOffByOne() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            Replica newReplica(ReplicaConfig config, int id) {
                return WrongQuorum.offByOne(config, ToySignatures.signer(id));
            }
        });

        assertThat(found).startsWith("seed ");
    }

    @Test
    void shouldFindThatOneLiarIsBelieved() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            Replica newReplica(ReplicaConfig config, int id) {
                return WrongQuorum.believingLiars(config, ToySignatures.signer(id));
            }
        });

        assertThat(found).startsWith("seed ");
    }

    @Test
    void shouldFindThatAVoteIsNotRemembered() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean forgets(SimulatedNode node, ReplicaRecord record) {
                return record instanceof ReplicaRecord.Accepted;
            }
        });

        assertThat(found).startsWith("seed ").contains("not durable");
    }

    @Test
    void shouldFindThatPreparedCertificatesAreForgotten() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean forgets(SimulatedNode node, ReplicaRecord record) {
                return record instanceof ReplicaRecord.Prepared;
            }
        });

        assertThat(found).startsWith("seed ").contains("not durable");
    }

    @Test
    void shouldFindThatALeftViewIsForgotten() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean forgetsAfterCrash(ReplicaRecord record) {
                return record instanceof ReplicaRecord.ViewLeft;
            }
        });

        assertThat(found).startsWith("seed ").contains("view that it left");
    }

    @Test
    void shouldFindThatVotesAreForgottenInACrash() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean forgetsAfterCrash(ReplicaRecord record) {
                return record instanceof ReplicaRecord.Accepted || record instanceof ReplicaRecord.Prepared;
            }
        });

        assertThat(found).startsWith("seed ").contains("voted twice");
    }

    @Test
    void shouldFindAVoteWithoutItsPayload() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean claimsToHold(Digest batchId) {
                return true;
            }
        });

        assertThat(found).startsWith("seed ").containsAnyOf("without payload", "that nobody submitted");
    }

    @Test
    void shouldFindThatAForgedSignatureIsTaken() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            boolean verifies() {
                return false;
            }
        });

        assertThat(found).startsWith("seed ");
    }
}
