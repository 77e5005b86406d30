/** Settings of the parts that need Spring. */
package io.sealbook.engine.config;
