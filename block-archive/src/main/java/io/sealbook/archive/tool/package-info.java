/**
 * The operator's and the auditor's tool: it reads the files of a stopped node, prints one fact per line and returns a
 * truthful exit code.
 */
package io.sealbook.archive.tool;
