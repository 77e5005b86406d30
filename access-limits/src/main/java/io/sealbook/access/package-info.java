/** How much one address may hold at a port: places, and what is closed, refused and logged without one. */
package io.sealbook.access;
