package io.sealbook.node.port;

import io.sealbook.archive.Block;
import java.util.List;

/** Blocks of one answer, in order, of sound structure; nothing else about them is certain yet. */
public record ReceivedBlocks(int source, long from, List<Block> blocks) {}
