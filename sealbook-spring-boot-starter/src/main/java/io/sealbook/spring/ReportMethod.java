package io.sealbook.spring;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.protocol.sbe.ExecType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.Order;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean that is marked with {@link OnExecutionReport}. Finding it makes no bean, so that a bean with such
 * a method can itself depend on the client.
 *
 * @param beanName of the bean
 * @param method as declared in the bean's class
 * @param types events that it handles; all if empty
 */
record ReportMethod(String beanName, Method method, Set<ExecType> types) {
    private static final Comparator<ReportMethod> CALL_ORDER = Comparator.comparingInt(ReportMethod::order)
            .thenComparing(ReportMethod::beanName)
            .thenComparing(each -> each.method().getName());

    /**
     * Returns all methods in the order in which they are called: by {@code @Order}, then by bean and name.
     *
     * @throws IllegalStateException if one has other parameters than a report, returns something, or belongs to a bean
     *     that is no singleton
     */
    static List<ReportMethod> find(ConfigurableListableBeanFactory factory) {
        List<ReportMethod> found = new ArrayList<>();
        for (String name : factory.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(factory, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, OnExecutionReport.class)) {
                MethodIntrospector.MetadataLookup<OnExecutionReport> marks =
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OnExecutionReport.class);
                MethodIntrospector.selectMethods(type, marks)
                        .forEach((method, mark) ->
                                found.add(new ReportMethod(name, method, Set.of(mark.value())).checked(factory)));
            }
        }
        found.sort(CALL_ORDER);
        return found;
    }

    /** Returns what calls the method of the bean, which is made now if it does not exist yet. */
    ExecutionReportListener listener(ConfigurableListableBeanFactory factory) {
        Object bean = factory.getBean(beanName);
        Method callable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(callable);
        return new Call(bean, callable, types);
    }

    private int order() {
        Order mark = AnnotatedElementUtils.findMergedAnnotation(method, Order.class);
        return mark == null ? Ordered.LOWEST_PRECEDENCE : mark.value();
    }

    private ReportMethod checked(ConfigurableListableBeanFactory factory) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length != 1 || parameters[0] != ExecutionReport.class || method.getReturnType() != void.class) {
            throw new IllegalStateException(
                    "@OnExecutionReport " + method + ": expected one parameter, an ExecutionReport, and no result");
        }
        if (!factory.isSingleton(beanName)) {
            throw new IllegalStateException("@OnExecutionReport " + method + ": bean " + beanName
                    + " is no singleton, so none is to be called");
        }
        return this;
    }

    private record Call(Object bean, Method method, Set<ExecType> types) implements ExecutionReportListener {
        @Override
        public void onReport(ExecutionReport report) {
            if (!types.isEmpty() && !types.contains(report.execType())) {
                return;
            }
            try {
                method.invoke(bean, report);
            } catch (InvocationTargetException e) {
                throw unchecked(e.getTargetException());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("made accessible before: " + method, e);
            }
        }

        /** The delivery reports the failure once for all listeners. */
        @Override
        public void onStopped(ExecutionReport unhandled, RuntimeException cause) {}

        private RuntimeException unchecked(Throwable thrown) {
            if (thrown instanceof Error error) {
                throw error;
            }
            return thrown instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(method + " failed", thrown);
        }
    }
}
