/**
 * How an engine that was wrong becomes right again.
 *
 * <pre>
 *   node ──▶ queue/isolation ──▶ EngineRebuild ──▶ the engine ends and starts again, from what is proven to be right
 *    ▲                                                       │
 *    └── queue/results, once more from there on ◀────────────┘
 * </pre>
 */
package io.sealbook.engine.rebuild;
