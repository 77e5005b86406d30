/**
 * A whole cluster on 127.0.0.1 as operating-system processes: four nodes, four engines, started from the built jars
 * with the very commands an operator types. Quick start, experiments and the process-level tests stand on it.
 */
package io.sealbook.perf.cluster;
