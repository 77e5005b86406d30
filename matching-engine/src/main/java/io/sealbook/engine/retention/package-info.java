/** How long what an engine reads and writes is kept: as long as somebody may need it, and then up to named limits. */
package io.sealbook.engine.retention;
