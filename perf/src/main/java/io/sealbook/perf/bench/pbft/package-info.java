/** What agreement costs without network, disk and real signatures: the state machine alone. */
package io.sealbook.perf.bench.pbft;
