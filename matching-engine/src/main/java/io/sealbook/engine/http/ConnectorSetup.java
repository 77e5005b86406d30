package io.sealbook.engine.http;

import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.engine.setup.EngineTls;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Gives a Tomcat server the connector of the engine: limits per address, its TLS, and the end of each answer; and its
 * directories. Comes after what the settings customize.
 */
final class ConnectorSetup implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
    private final int perAddressMax;
    private final ObjectProvider<AccessRefusals> refusals;
    private final EngineTls tls;
    private final ServerFiles files;
    private final Consumer<LimitedHttpProtocol> onMade;

    /**
     * @param perAddressMax open connections of one address
     * @param refusals looked up when there is one: the server is made before the registry of the metrics exists
     * @param tls of the engine
     * @param files where the server writes
     * @param onMade is given the connector before it starts
     */
    ConnectorSetup(
            int perAddressMax,
            ObjectProvider<AccessRefusals> refusals,
            EngineTls tls,
            ServerFiles files,
            Consumer<LimitedHttpProtocol> onMade) {
        this.perAddressMax = perAddressMax;
        this.refusals = refusals;
        this.tls = tls;
        this.files = files;
        this.onMade = onMade;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(LimitedHttpProtocol.class.getName());
        factory.addConnectorCustomizers(this::setUp);
        factory.addEngineValves(new AnswerValve());
        files.giveTo(factory);
    }

    private void setUp(Connector connector) {
        LimitedHttpProtocol protocol = (LimitedHttpProtocol) connector.getProtocolHandler();
        protocol.limit(
                perAddressMax, (remote, reason) -> refusals.getObject().connectionRefused(Port.HTTP, remote, reason));
        tls.identity().ifPresent(protocol::secure);
        onMade.accept(protocol);
    }
}
