import { AppError } from '@glovebox/platform/errors/app-error';
import { checkIdempotencyKey, replayHeader } from '@glovebox/platform/http/idempotency-key';
import { Warnings } from '@glovebox/platform/http/warnings';
import { context } from '@glovebox/platform/telemetry/tracing';
import type { Express, Request, RequestHandler, Response } from 'express';

import type { Call } from '../http/call.ts';
import { uuidPattern } from '../http/uuid.ts';
import { requirePermission } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { ownHeader, soleHeader } from './headers.ts';
import type { Performed } from './idempotency.ts';
import type { Operation } from './operation.ts';
import type { ReadJson } from './read-json.ts';
import { trailOf } from './trail.ts';
import { showWarnings, unknownNames } from './warn.ts';

export interface MountOptions {
  readonly readJson: ReadJson;
  readonly authenticate: (request: Request) => Promise<Caller>;
  /** @throws AppError `rate_limited` */
  readonly admit: (request: Request, principal: Caller) => Promise<void>;
  /** Runs an operation, once for each idempotency key if there is one. */
  readonly perform: (
    operation: Operation,
    call: Call,
    key: string | undefined,
    path: string,
  ) => Promise<Performed>;
  /** Headers whose names start with `BT-` are answered too. */
  readonly aliases: boolean;
}

/** Adds a table of operations to the app; other methods on their paths are answered 405. */
export function mount(app: Express, operations: readonly Operation[], options: MountOptions): void {
  for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
    const route = app.route(path);
    for (const operation of own) route[operation.method](handle(operation, options));
    route.all(refuseMethod(own));
  }
}

function handle(
  operation: Operation,
  { readJson, authenticate, admit, perform, aliases }: MountOptions,
): RequestHandler {
  const findUnknown = unknownNames(operation);
  return async (request, response) => {
    const trail = trailOf(request);
    trail.route = operation.path;
    await context.with(trail.context, async () => {
      const principal = await authenticate(request);
      trail.principal = principal;
      await admit(request, principal);
      if (operation.judges?.(principal) !== true) requirePermission(principal, operation.permission);
      const key = readKey(operation, request);
      const warnings = new Warnings(soleHeader(request.headers, 'strict'));
      const id = readId(request.params['id']);
      const keyId = readId(request.params['keyId']);
      const body =
        operation.body === 'no body' ? undefined : await readJson(request, response, operation.body);
      const query = queryOf(request.url);
      const { correlationId } = trail;
      const call = { principal, id, keyId, query, correlationId, body, warnings };
      warnings.add(findUnknown(call));
      // What is refused for another reason is often so because of them.
      showWarnings(response, warnings.texts, aliases);
      const performed = await perform(operation, call, key, request.path);
      showWarnings(response, performed.reply.warnings ?? [], aliases);
      send(response, performed);
    });
  };
}

const keyedMethods: ReadonlySet<Operation['method']> = new Set(['post', 'put', 'patch']);

/**
 * Reads and deletes may be repeated as they are; a key that they bring is not looked at
 * (contract/conventions.md#idempotency).
 */
function readKey({ method }: Operation, request: Request): string | undefined {
  return keyedMethods.has(method)
    ? checkIdempotencyKey(ownHeader(request.headers, 'idempotency-key'))
    : undefined;
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

function send(response: Response, { reply, replayed }: Performed): void {
  response.status(reply.status);
  if (replayed) response.setHeader(replayHeader, 'true');
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
    throw new AppError('method_not_allowed', `Allowed here: ${allow}.`);
  };
}
