import type { Metadata } from '@grpc/grpc-js';

import { AppError } from '../errors/app-error.ts';
import type { Logger } from './logger.ts';

/** What the server knows of a call besides its message. */
export interface CallScope {
  /** Name of the calling service, as its token proves. */
  readonly peer: string;
  /** Aborts when the server begins to shut down: long-lived streams then ask their peers to leave. */
  readonly draining: AbortSignal;
  readonly logger: Logger;
}

/** Keyed by the object that grpc-js passes from interceptor to handler, so no peer can forge an entry. */
const scopes = new WeakMap<Metadata, CallScope>();

export function enterScope(metadata: Metadata, scope: CallScope): void {
  scopes.set(metadata, scope);
}

/** @throws AppError `internal` for a call that did not come through `startGrpcServer` */
export function scopeOf(metadata: Metadata): CallScope {
  const scope = scopes.get(metadata);
  if (scope === undefined) {
    throw new AppError('internal', 'The request could not be completed.', {
      cause: new Error('the peer of the call was not checked'),
    });
  }
  return scope;
}
