/** How much one caller may do per second at a port: calls, and bytes that it sends. */
package io.sealbook.access.rate;
