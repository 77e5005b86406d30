/** What an engine is given: the directory of its node, the agreed market, settings. */
package io.sealbook.engine.setup;
