package io.sealbook.spring;

/**
 * Published once, when engines do not keep the next report any more and no more reports are delivered.
 *
 * @param reportSequence of the next report
 * @param why names the first report that engines keep
 */
public record ReportsLostEvent(long reportSequence, String why) {}
