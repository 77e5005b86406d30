/** What a node knows about itself, for operators, brokers and its own threads: one state object and its metrics. */
package io.sealbook.consensus.status;
