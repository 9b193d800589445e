import { listContainers } from '../operations/people/list-containers.ts';
import { listTokens } from '../operations/people/list-tokens.ts';
import { readInvocationLog } from '../operations/people/read-invocation-log.ts';
import { revealToken } from '../operations/people/reveal-token.ts';
import type { Route } from './route.ts';

/** What only people in the console can do. The API description is for programs, and has none of it (contract/people.md#tokens). */
export const consoleRoutes: readonly Route[] = [
  read('/console/session/tokens', listTokens),
  read('/console/session/containers', listContainers),
  // The id is in the body: it may hold any character, and addresses are logged.
  ask('/console/session/reveal', revealToken),
  ask('/console/session/invocation-log', readInvocationLog),
];

/** It stores nothing but an entry in the log, which each time is another one. */
function ask(path: string, operation: Route['operation']): Route {
  return { ...read(path, operation), method: 'post', body: 'json', storesNothing: true };
}

function read(path: string, operation: Route['operation']): Route {
  return { method: 'get', path, permission: 'token:read', operation, body: 'no body', undescribed: true };
}
