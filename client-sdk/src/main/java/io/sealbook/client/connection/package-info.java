/**
 * The client's one loop thread and its links to nodes and engines. gRPC's threads only hand over to the loop;
 * everything here that has state belongs to the loop.
 */
package io.sealbook.client.connection;
