/** Ports that a test can rely on until it binds them. */
package io.sealbook.ports;
