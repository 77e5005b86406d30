/** Programs of brokers with the published artefacts, against a cluster. */
package io.sealbook.perf.consumers;
