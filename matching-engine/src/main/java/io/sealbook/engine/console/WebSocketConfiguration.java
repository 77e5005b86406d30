package io.sealbook.engine.console;

import io.sealbook.engine.config.EngineProperties;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the market data endpoint into the embedded Tomcat. Spring Boot starts Tomcat's WebSocket support when it is on
 * the class path; the endpoint is added afterwards, because starting the support a second time would forget it.
 */
@Configuration(proxyBeanMethods = false)
class WebSocketConfiguration {
    static final String PATH = "/ws/market-data";

    private static final int MESSAGE_BYTES_MAX = 4096;
    private static final long SEND_TIMEOUT_MS = 5_000;

    @Bean
    ServletListenerRegistrationBean<ServletContextListener> marketDataEndpoint(
            ObjectProvider<MarketDataSessions> sessions, EngineProperties properties) {
        return new ServletListenerRegistrationBean<>(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                Object container = event.getServletContext().getAttribute(ServerContainer.class.getName());
                if (container == null) {
                    throw new IllegalStateException("WebSocket support is not on the class path");
                }
                register(
                        (ServerContainer) container, sessions, properties.http().pingMs());
            }
        });
    }

    private static void register(ServerContainer container, ObjectProvider<MarketDataSessions> sessions, long pingMs) {
        container.setDefaultMaxTextMessageBufferSize(MESSAGE_BYTES_MAX);
        container.setAsyncSendTimeout(SEND_TIMEOUT_MS);
        ServerEndpointConfig.Configurator configurator = new ServerEndpointConfig.Configurator() {
            @Override
            public <T> T getEndpointInstance(Class<T> endpointClass) {
                return endpointClass.cast(new MarketDataEndpoint(sessions.getObject(), pingMs));
            }

            /** None: a compressed frame of 256 KB may be 256 MB (decision 81). */
            @Override
            public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
                return List.of();
            }
        };
        try {
            container.addEndpoint(ServerEndpointConfig.Builder.create(MarketDataEndpoint.class, PATH)
                    .configurator(configurator)
                    .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException("cannot serve " + PATH, e);
        }
    }
}
