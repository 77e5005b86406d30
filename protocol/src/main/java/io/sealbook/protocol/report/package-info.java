/** Execution reports made from the results that engines keep and send. Needs no Agrona. */
package io.sealbook.protocol.report;
