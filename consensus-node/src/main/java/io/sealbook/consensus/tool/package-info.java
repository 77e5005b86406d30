/** NodeTool and its subcommands: one class each, printing one fact per line and returning a truthful exit code. */
package io.sealbook.consensus.tool;
