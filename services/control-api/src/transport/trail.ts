import type { Principal } from '@glovebox/access/principal';
import type { Context, Span } from '@glovebox/platform/telemetry/tracing';
import type { Request } from 'express';

/** What becomes known of a request on its way, for its one log line, its span and its metrics. */
export interface Trail {
  readonly correlationId: string;
  readonly span: Span;
  readonly context: Context;
  /** Template of the path, never the path itself. */
  route: string;
  principal?: Principal;
  /** What the request failed with. */
  error?: unknown;
}

const trails = new WeakMap<Request, Trail>();

export function beginTrail(request: Request, trail: Trail): void {
  trails.set(request, trail);
}

export function trailOf(request: Request): Trail {
  const trail = trails.get(request);
  if (trail === undefined) throw new Error('observe must be the first middleware');
  return trail;
}
