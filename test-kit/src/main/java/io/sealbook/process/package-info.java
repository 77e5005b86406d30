/** Other processes that a test starts. */
package io.sealbook.process;
