package io.sealbook.engine.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.setup.DirectoryLock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineTls;
import jakarta.servlet.Filter;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Puts limits, TLS and roles into the embedded Tomcat, before any other filter. */
@Configuration(proxyBeanMethods = false)
class HttpAccessConfiguration {
    /** Tomcat's own default, for an application that sets none. */
    private static final int TOMCAT_THREADS_MAX = 200;

    private final AtomicReference<LimitedHttpProtocol> connector = new AtomicReference<>();

    @Bean
    ServerFiles serverFiles(DirectoryLock lock) {
        return new ServerFiles(lock);
    }

    @Bean
    LargeAnswers largeAnswers(ServerFiles files) {
        return new LargeAnswers(files.answers());
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectionLimit(
            EngineProperties properties, ObjectProvider<AccessRefusals> refusals, EngineTls tls, ServerFiles files) {
        return new ConnectorSetup(properties.http().connectionsPerAddress(), refusals, tls, files, connector::set);
    }

    @Bean
    SslBundleRegistrar engineBundle(EngineTls tls) {
        return registry -> tls.identity()
                .ifPresent(identity -> registry.registerBundle(IdentityBundle.NAME, IdentityBundle.of(identity)));
    }

    @Bean
    FilterRegistrationBean<RequestLimit> requestLimit(
            EngineProperties properties, AccessRefusals refusals, EngineTls tls, Environment environment) {
        return limit(properties, refusals, tls, environment);
    }

    /**
     * Returns the limits of one port, the first of its filters.
     *
     * @param properties have the numbers
     * @param refusals counts what is refused
     * @param tls of the engine
     * @param environment has Tomcat's settings
     */
    static FilterRegistrationBean<RequestLimit> limit(
            EngineProperties properties, AccessRefusals refusals, EngineTls tls, Environment environment) {
        int threads = environment.getProperty("server.tomcat.threads.max", Integer.class, TOMCAT_THREADS_MAX);
        EngineProperties.Http http = properties.http();
        RequestRates rates = new RequestRates(http.rates(), tls.identity().isPresent(), System::nanoTime, refusals);
        FilterRegistrationBean<RequestLimit> filter = new FilterRegistrationBean<>(
                new RequestLimit(threads, http.requestsPerAddress(), new RequestCallers(tls.roles()), rates, refusals));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /** After the limits, which judge the caller. */
    @Bean
    FilterRegistrationBean<Filter> roleFilter(EngineTls tls, EngineDirectory directory) {
        FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>();
        filter.setFilter(RoleFilter.of(tls, directory));
        filter.setEnabled(tls.identity().isPresent());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return filter;
    }

    @Bean
    FilterRegistrationBean<Filter> hostFilter(EngineTls tls, Environment environment) {
        return HostFilter.of(tls, environment, "server.address");
    }

    @Bean
    FilterRegistrationBean<OriginFilter> originFilter() {
        FilterRegistrationBean<OriginFilter> filter = new FilterRegistrationBean<>(new OriginFilter());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
        return filter;
    }

    @Bean
    MeterBinder httpConnections() {
        return registry -> Gauge.builder("sealbook.engine.connections", connector, HttpAccessConfiguration::openCount)
                .description("How many connections are open?")
                .tag("port", Port.HTTP.tag())
                .register(registry);
    }

    private static double openCount(AtomicReference<LimitedHttpProtocol> connector) {
        LimitedHttpProtocol protocol = connector.get();
        return protocol == null ? 0 : protocol.openCount();
    }
}
