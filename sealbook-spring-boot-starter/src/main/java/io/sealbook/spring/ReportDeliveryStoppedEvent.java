package io.sealbook.spring;

import io.sealbook.client.ExecutionReport;

/**
 * Published once, when a listener has thrown and no more reports are delivered.
 *
 * @param unhandled the report that was handed to the listener; it is not checkpointed
 * @param cause what the listener threw
 */
public record ReportDeliveryStoppedEvent(ExecutionReport unhandled, RuntimeException cause) {}
