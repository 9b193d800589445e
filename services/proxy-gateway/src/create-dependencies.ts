import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';
import { ShadowRuns } from '@glovebox/published/shadow-runs';

import { boundsOf } from './bounds-of.ts';
import type { GatewayConfig } from './config.ts';
import type { createEgress } from './create-egress.ts';
import type { EventHandlers } from './proxy/events/event-handlers.ts';
import type { Dependencies } from './routes.ts';

export interface DependencyParts extends Pick<Dependencies, 'claims' | 'vault' | 'runner' | 'noteViolation'> {
  readonly published: PublishedLookups;
  readonly egress: ReturnType<typeof createEgress>;
  readonly handlers: EventHandlers;
  readonly counter: Pick<RolloutCounter, 'note' | 'noteCompared' | 'noteSkipped'>;
}

/**
 * What the handlers work with. It is made here alone, also for the warm-up: V8 compiles handlers for objects that are made at one
 * place.
 */
export function createDependencies(config: GatewayConfig, parts: DependencyParts): Dependencies {
  const { published, claims, vault, runner, egress, handlers, counter, noteViolation } = parts;
  const bounds = boundsOf(config);
  return {
    published,
    claims,
    vault,
    runner,
    ...egress,
    ephemeralProxies: config.ephemeralProxies,
    ...handlers,
    shadows: new ShadowRuns(counter),
    noteViolation,
    ...bounds,
  };
}
