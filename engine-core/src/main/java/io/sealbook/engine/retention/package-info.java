/** How long an engine's files are kept: as long as a start or a reader may need them, then up to named limits. */
package io.sealbook.engine.retention;
