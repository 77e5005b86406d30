package io.sealbook.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRulesTest {
    private static final Caller BROKER_2 = new Caller(Role.BROKER, 2);
    private static final Caller AUDITOR = new Caller(Role.AUDITOR, 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/index.html",
                "/console.js",
                "/icon.svg",
                "/api/status",
                "/api/instruments",
                "/api/depth/GOOG",
                "/api/trades",
                "/api/nodes",
                "/ws/market-data",
                "/actuator/health/readiness",
                "/actuator/prometheus"
            })
    void shouldLetEveryoneReadTheMarket(String path) {
        assertThat(HttpRules.isPublic(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/orders/2/17",
                "/api/orders/2/17/history",
                "/api/orders/2/17/trace",
                "/api/reports/2/17/proof",
                "/api/positions/2/proof"
            })
    void shouldLetABrokerReadItsOwn(String path) {
        assertThat(HttpRules.isPublic(path)).isFalse();
        assertThat(HttpRules.mayRead(BROKER_2, path)).isTrue();
        assertThat(HttpRules.mayRead(new Caller(Role.BROKER, 3), path)).isFalse();
        assertThat(HttpRules.mayRead(AUDITOR, path)).isTrue();
    }

    /** Among them are spellings that a server takes for the path of another broker's order. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/orders",
                "/api/orders/1/17",
                "/api/orders/1/17/history",
                "/api/orders/1/17/trace",
                "/api/orders/2/17/trace/",
                "/api/orders/2/17/history/trace",
                "/api/orders/4294967298/17",
                "/api/orders/02x/17",
                "/api/reports/1/17/proof",
                "/api/positions/1/proof",
                "/api/positions/2/1/proof",
                "/api/accounts/7",
                "/api/order-ids/5",
                "/api/trades/5/proof",
                "/api/something-new",
                "/%61pi/orders/1/17",
                "/api/%6frders/1/17",
                "/api/depth/../orders/1/17",
                "/api/depth/..",
                "/api/depth/x;a=b",
                "/api/orders/2/17/../../1/17",
                "/api/orders/2/17;x",
                "//api/orders/1/17",
                "/actuator/../api/orders/1/17",
                "/actuator/./x",
                "/index.html/../api/orders/1/17",
                "/api/status/../orders/1/17",
                ""
            })
    void shouldLetABrokerReadNothingElse(String path) {
        assertThat(HttpRules.isPublic(path)).isFalse();
        assertThat(HttpRules.mayRead(BROKER_2, path)).isFalse();
    }
}
