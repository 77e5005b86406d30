package io.sealbook.engine.http;

import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineTls;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Gives a separate port of the actuator ({@code management.server.port}) the connector of the engine: its limits, and
 * TLS with certificates that are replaced and revoked while the engine runs, and roles.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@Conditional(ManagementPortConfiguration.OfThatPort.class)
class ManagementPortConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementConnectionLimit(
            EngineProperties properties, ObjectProvider<AccessRefusals> refusals, EngineTls tls, ServerFiles files) {
        return new ConnectorSetup(properties.http().connectionsPerAddress(), refusals, tls, files, made -> {});
    }

    @Bean
    FilterRegistrationBean<RequestLimit> managementRequestLimit(
            EngineProperties properties, AccessRefusals refusals, EngineTls tls, Environment environment) {
        return HttpAccessConfiguration.limit(properties, refusals, tls, environment);
    }

    @Bean
    FilterRegistrationBean<Filter> managementRoleFilter(EngineTls tls, EngineDirectory directory) {
        FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>(RoleFilter.of(tls, directory));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return filter;
    }

    @Bean
    FilterRegistrationBean<Filter> managementHostFilter(EngineTls tls, Environment environment) {
        return HostFilter.of(tls, environment, "management.server.address");
    }

    /** The application finds this class too when it looks for its own; only the port's context has a parent. */
    static final class OfThatPort implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getBeanFactory().getParentBeanFactory() != null;
        }
    }
}
