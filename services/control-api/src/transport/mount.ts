import { unknownParameters, unknownProperties } from '@glovebox/openapi/known-names';
import { namesOfOperation } from '@glovebox/openapi/names-of-operation';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { checkIdempotencyKey, replayHeader } from '@glovebox/platform/http/idempotency-key';
import {
  type Finding,
  Warnings,
  mostFindings,
  unknownName,
  warningAlias,
  warningHeader,
  warningList,
} from '@glovebox/platform/http/warnings';
import { context } from '@glovebox/platform/telemetry/tracing';
import type { Express, Request, RequestHandler, Response } from 'express';

import type { Call } from '../http/call.ts';
import { readComment } from '../http/comment.ts';
import { readIfMatch, tagOf } from '../http/if-match.ts';
import { uuidPattern } from '../http/shape.ts';
import { type ManagementPrincipal, requirePermission } from './authenticate.ts';
import { ownHeader, soleHeader } from './headers.ts';
import type { ExecuteRoute, RouteOutcome } from './idempotency.ts';
import { trailOf } from './observe.ts';
import { type ReadJson, isMergePatch } from './read-json.ts';
import type { Route } from './route.ts';
import { sendStream } from './send-stream.ts';

export interface MountOptions {
  readonly readJson: ReadJson;
  readonly authenticate: (request: Request) => Promise<ManagementPrincipal>;
  /** @throws AppError `rate_limited` */
  readonly admit: (request: Request, principal: ManagementPrincipal) => Promise<void>;
  readonly execute: ExecuteRoute;
  /** Headers whose names start with `BT-` are answered too. */
  readonly aliases: boolean;
}

/** Adds the routes to the app; other methods on their paths are answered 405. */
export function mount(app: Express, routes: readonly Route[], options: MountOptions): void {
  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path);
    for (const route of own) mounted[route.method](handle(route, options));
    mounted.all(refuseMethod(own));
  }
}

function handle(
  route: Route,
  { readJson, authenticate, admit, execute, aliases }: MountOptions,
): RequestHandler {
  const findUnknown = unknownNames(route);
  return async (request, response) => {
    const trail = trailOf(request);
    trail.route = route.path;
    await context.with(trail.context, async () => {
      const principal = await authenticate(request);
      trail.principal = principal;
      await admit(request, principal);
      if (route.operationAuthorizes?.(principal) !== true) requirePermission(principal, route);
      const key = readKey(route, request);
      const warnings = new Warnings(soleHeader(request.headers, 'strict'));
      refuseDryRun(soleHeader(request.headers, 'dry-run'));
      const id = readId(request.params['id']);
      const keyId = readId(request.params['keyId']);
      const deliveryId = readId(request.params['deliveryId']);
      const version = readVersion(request.params['version']);
      const stated = readStated(route, request);
      const body = route.body === 'no body' ? undefined : await readJson(request, response, route.body);
      const query = queryOf(request.url);
      const { correlationId, clientAddress } = trail;
      const origin = { principal, person: principal.person, correlationId, clientAddress };
      const isPatch = isMergePatch(request.get('content-type'));
      const lastEventId = request.get('last-event-id');
      const call = {
        ...origin,
        id,
        keyId,
        deliveryId,
        version,
        query,
        body,
        isPatch,
        lastEventId,
        warnings,
        ...stated,
      };
      warnings.add(findUnknown(call));
      // Sent with refusals too, which they often explain.
      showWarnings(response, warnings.texts, aliases);
      const outcome = await execute(route, call, key, request.path);
      showWarnings(response, outcome.reply.warnings ?? [], aliases);
      await send(request, response, outcome);
    });
  };
}

/** Nothing here can be tried so (contract/dry-runs.md#dry-runs): it would be done. @throws AppError `invalid_argument` */
function refuseDryRun(header: string | undefined): void {
  if (header === undefined || header === 'false') return;
  const problem =
    header === 'true' ? 'has no meaning here: this request has no dry run' : 'must be true or false';
  throw validationError({ 'SVC-DRY-RUN': [problem] });
}

const keyedMethods: ReadonlySet<Route['method']> = new Set(['post', 'put', 'patch']);

/** Reads and deletes may be repeated as they are; a key that they bring is not looked at (contract/conventions.md#idempotency). */
function readKey({ method, storesNothing }: Route, request: Request): string | undefined {
  return keyedMethods.has(method) && storesNothing !== true
    ? checkIdempotencyKey(ownHeader(request.headers, 'idempotency-key'))
    : undefined;
}

function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/** A malformed id is a 404. */
function readId(id: string | string[] | undefined): string {
  if (id === undefined) return '';
  if (typeof id === 'string' && uuidPattern.test(id)) return id.toLowerCase();
  throw new AppError('not_found', 'There is no such resource.');
}

/** The same for one that no version has. */
function readVersion(version: string | string[] | undefined): number {
  if (version === undefined) return 0;
  if (typeof version === 'string' && /^[1-9]\d{0,14}$/.test(version)) return Number(version);
  throw new AppError('not_found', 'There is no such version.');
}

/** What a change says of itself (contract/versions.md#comments), and of what has versions, which one it is to replace. */
function readStated(
  { method, versioned, storesNothing }: Route,
  { headers }: Request,
): Pick<Call, 'comment' | 'ifMatch'> {
  const isChange = method !== 'get' && storesNothing !== true;
  return {
    comment: isChange ? readComment(soleHeader(headers, 'comment')) : undefined,
    ifMatch: versioned === undefined ? undefined : readIfMatch(headers['if-match']),
  };
}

async function send(request: Request, response: Response, { reply, replayed }: RouteOutcome): Promise<void> {
  response.status(reply.status);
  if (replayed) response.setHeader(replayHeader, 'true');
  if (reply.version !== undefined) response.setHeader('ETag', tagOf(reply.version));
  if (reply.location !== undefined) response.setHeader('Location', reply.location);
  if (reply.stream !== undefined) await sendStream(request, response, reply.stream);
  else if (reply.body === undefined) response.end();
  else response.json(reply.body);
}

function refuseMethod(routes: readonly Route[]): RequestHandler {
  const methods = routes.map((route) => route.method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  const path = routes[0]?.path ?? '';
  return (request, response) => {
    trailOf(request).route = path;
    response.setHeader('Allow', allow);
    throw new AppError('method_not_allowed', `Allowed here: ${allow}.`);
  };
}

/** Finds the properties and parameters of a request that the API description does not name. */
function unknownNames({
  method,
  path,
  undescribed,
}: Route): (call: Pick<Call, 'query' | 'body'>) => readonly Finding[] {
  if (undescribed === true) return () => [];
  const known = namesOfOperation(method, path);
  if (known === undefined) throw new Error(`${method} ${path} is not described`);
  return ({ query, body }) => [
    ...unknownParameters(known.query, query, mostFindings).map((name) => unknownName('parameter', name)),
    ...unknownProperties(known.body, body, mostFindings).map((name) => unknownName('property', name)),
  ];
}

/** @param aliases under the header name of existing clients too */
function showWarnings(response: Response, texts: readonly string[], aliases: boolean): void {
  const list = warningList(texts);
  if (list === undefined) return;
  response.setHeader(warningHeader, list);
  if (aliases) response.setHeader(warningAlias, list);
}
