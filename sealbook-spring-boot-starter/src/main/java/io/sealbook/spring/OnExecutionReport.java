package io.sealbook.spring;

import io.sealbook.protocol.sbe.ExecType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a singleton bean that handles the broker's execution reports. The method has one parameter, an
 * {@link io.sealbook.client.ExecutionReport}, and returns nothing.
 *
 * <p>All methods are called on one thread, report by report in sequence. A report is checkpointed after all methods
 * have returned: after a crash it comes again, so that each method sees each report at least once. If a method throws,
 * delivery stops, the health is DOWN, a {@link ReportDeliveryStoppedEvent} is published, and the next start of the
 * application begins with this report.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnExecutionReport {

    /** Returns the events to be handled; all if none is named. */
    ExecType[] value() default {};
}
