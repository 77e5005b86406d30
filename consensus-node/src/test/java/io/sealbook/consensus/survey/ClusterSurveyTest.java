package io.sealbook.consensus.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InsecureChannelCredentials;
import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSurveyTest {
    private static final long TIMEOUT_MS = 60_000;

    @Test
    void shouldNameAMemberToWhichNoChannelCanBeBuilt() throws Exception {
        Genesis terms = Genesis.newBuilder().addNodes(at("node_0")).build();
        try (ClusterSurvey survey = new ClusterSurvey(terms, InsecureChannelCredentials.create(), TIMEOUT_MS)) {
            assertThat(survey.ask())
                    .singleElement()
                    .satisfies(answer -> assertThat(answer.failure())
                            .startsWith("UNAVAILABLE: ")
                            .contains("node_0"));
        }
    }

    /** Port 1 refuses: a channel was built. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "[::1]", "localhost"})
    void shouldBuildAChannelToEachFormOfAHost(String host) {
        assertThat(call(host)).isInstanceOf(StatusRuntimeException.class).hasMessageNotContaining("no channel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node_0", "<", "[", "%zz"})
    void shouldFailACallToAnyOtherHost(String host) {
        assertThat(call(host)).isInstanceOf(StatusRuntimeException.class).hasMessageContaining("no channel");
    }

    private static Throwable call(String host) {
        try (MemberGateway gateway =
                new MemberGateway(MemberGateway.address(at(host)), MemberGateway.Access.PLAIN, TIMEOUT_MS)) {
            gateway.endpoints();
            return new AssertionError("answered");
        } catch (StatusRuntimeException e) {
            return e;
        }
    }

    private static Node at(String host) {
        return Node.newBuilder().setHost(host).setGatewayPort(1).build();
    }
}
