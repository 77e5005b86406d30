/**
 * A whole cluster on 127.0.0.1 as operating-system processes: four nodes, four engines, started from the built jars
 * with an operator's commands. Quick start, experiments and the process-level tests use it.
 */
package io.sealbook.perf.cluster;
