import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors';
import { context } from '@glovebox/platform/tracing';
import type { Express, Request, RequestHandler, Response } from 'express';

import { requirePermission } from './authenticate.ts';
import { sendError } from './errors.ts';
import type { Operation, Reply } from './operation.ts';
import { readJson } from './read-json.ts';
import { trailOf } from './trail.ts';
import { uuidPattern } from './uuid.ts';

export type Authenticate = (request: Request) => Promise<Principal>;

/** Adds a table of operations to the app; other methods on their paths are answered 405. */
export function mount(app: Express, operations: readonly Operation[], authenticate: Authenticate): void {
  for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
    const route = app.route(path);
    for (const operation of own) route[operation.method](handle(operation, authenticate));
    route.all(refuseMethod(own));
  }
}

function handle(operation: Operation, authenticate: Authenticate): RequestHandler {
  return async (request, response) => {
    const trail = trailOf(request);
    trail.route = operation.path;
    await context.with(trail.context, async () => {
      const principal = await authenticate(request);
      trail.principal = principal;
      requirePermission(principal, operation.permission);
      const id = readId(request.params['id']);
      const keyId = readId(request.params['keyId']);
      const body =
        operation.body === 'no body' ? undefined : await readJson(request, response, operation.body);
      const query = queryOf(request.url);
      const { correlationId } = trail;
      send(response, await operation.handler({ principal, id, keyId, query, correlationId, body }));
    });
  };
}

function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/** What is no UUID is the id of nothing. */
function readId(id: string | string[] | undefined): string {
  if (id === undefined) return '';
  if (typeof id === 'string' && uuidPattern.test(id)) return id.toLowerCase();
  throw new AppError('not_found', 'There is no such resource.');
}

function send(response: Response, reply: Reply): void {
  response.status(reply.status);
  if (reply.location !== undefined) response.setHeader('Location', reply.location);
  if (reply.body === undefined) response.end();
  else response.json(reply.body);
}

function refuseMethod(operations: readonly Operation[]): RequestHandler {
  const methods = operations.map((operation) => operation.method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  const path = operations[0]?.path ?? '';
  return (request, response) => {
    trailOf(request).route = path;
    response.setHeader('Allow', allow);
    sendError(response, new AppError('method_not_allowed', `Allowed here: ${allow}.`));
  };
}
