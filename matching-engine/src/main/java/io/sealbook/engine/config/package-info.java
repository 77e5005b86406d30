/** Settings, file locations and the agreed market of one engine. */
package io.sealbook.engine.config;
