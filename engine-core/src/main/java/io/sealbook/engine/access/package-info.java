/** Counts and logs what the limits of an engine's ports have refused. Brokers do not prove their identity yet. */
package io.sealbook.engine.access;
