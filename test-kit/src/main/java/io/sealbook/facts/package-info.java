/** How a test waits: for facts, never for time. */
package io.sealbook.facts;
