/** What the tools of all modules print about failures, whatever their commands are. */
package io.sealbook.commandline;
