import { AppError } from '@glovebox/platform/errors/app-error';

import { isPreflight, preflightHeaders } from './http/cross-origin.ts';
import type { Exchange } from './http/exchange.ts';
import { respondNoContent } from './http/respond.ts';
import {
  type InvocationsRoute,
  listProxyInvocations,
  listReactorInvocations,
} from './invocation-log/list-invocations.ts';
import { type ProxyRoute, proxy } from './proxy/handle.ts';
import { reactorResult } from './reactors/get-result.ts';
import { reactAsync } from './reactors/react-async.ts';
import { type ReactRoute, react } from './reactors/react.ts';
import { authorizeSession, createSession } from './sessions/sessions.ts';
import { type TokenRoute, findTokenRoute } from './token-routes.ts';
import type { TokenRoutes } from './tokens/tokens.ts';

export type Routes = ProxyRoute & TokenRoutes & ReactRoute & InvocationsRoute;

export interface Route {
  /** For logs, metrics and spans: low in cardinality. */
  readonly name: string;
  /** Errors are answered as `{"proxy_error": …}` (contract/errors.md#proxy-errors). */
  readonly wrapsErrors: boolean;
  readonly handle: (exchange: Exchange, routes: Routes) => void | Promise<void>;
}

/** Every route of the data plane. A trailing slash never makes a difference (contract/conventions.md#addresses). */
export function findRoute(method: string, path: string): Route {
  if (path === '/proxy' || path.startsWith('/proxy/'))
    return proxyMethods.has(method) ? proxyRoute : proxyMethod;
  const token = findTokenRoute(method, path);
  if (token !== undefined) return tokenRoute(token);
  const [, reactorId, verb] = /^\/reactors\/([^/]+)\/(react|react-async)\/?$/.exec(path) ?? [];
  if (reactorId !== undefined) return reactRoute(method, reactorId, verb as Verb);
  const [, of, requestId] = /^\/reactors\/([^/]+)\/results\/([^/]+)\/?$/.exec(path) ?? [];
  if (requestId !== undefined) return resultRoute(method, of as string, requestId);
  const session = /^\/sessions(\/authorize)?\/?$/.exec(path);
  if (session !== null) return sessionRoute(method, session[1] === undefined ? 'create' : 'authorize');
  const [, kind, ownerId] = /^\/(proxies|reactors)\/([^/]+)\/invocations\/?$/.exec(path) ?? [];
  return ownerId === undefined ? unknownRoute : invocationsRoute(method, kind as Kind, ownerId);
}

const proxyMethods: ReadonlySet<string> = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE']);
const proxyRoute: Route = { name: '/proxy', wrapsErrors: true, handle: proxy };
const proxyMethod: Route = { ...methodRefused('/proxy', [...proxyMethods].join(', ')), wrapsErrors: true };

function tokenRoute({ name, handle, allowed }: TokenRoute): Route {
  return handle === undefined ? methodRefused(name, allowed) : { name, wrapsErrors: false, handle };
}

type Verb = 'react' | 'react-async';

function reactRoute(method: string, id: string, verb: Verb): Route {
  const name = `/reactors/{id}/${verb}`;
  if (method !== 'POST') return methodRefused(name, 'POST');
  const invoke = verb === 'react' ? react : reactAsync;
  return { name, wrapsErrors: false, handle: (exchange, routes) => invoke(exchange, routes, id) };
}

function resultRoute(method: string, id: string, requestId: string): Route {
  const name = '/reactors/{id}/results/{request_id}';
  if (method !== 'GET') return methodRefused(name, 'GET');
  return {
    name,
    wrapsErrors: false,
    handle: (exchange, routes) => reactorResult(exchange, routes, id, requestId),
  };
}

function sessionRoute(method: string, verb: 'create' | 'authorize'): Route {
  const name = verb === 'create' ? '/sessions' : '/sessions/authorize';
  if (method !== 'POST') return methodRefused(name, 'POST');
  return { name, wrapsErrors: false, handle: verb === 'create' ? createSession : authorizeSession };
}

type Kind = 'proxies' | 'reactors';

function invocationsRoute(method: string, kind: Kind, id: string): Route {
  const name = `/${kind}/{id}/invocations`;
  if (method !== 'GET') return methodRefused(name, 'GET');
  const list = kind === 'proxies' ? listProxyInvocations : listReactorInvocations;
  return { name, wrapsErrors: false, handle: (exchange, routes) => list(exchange, routes, id) };
}

const unknownRoute: Route = {
  name: 'unknown',
  wrapsErrors: false,
  handle: () => {
    throw new AppError('not_found', 'There is nothing at this address.');
  },
};

function methodRefused(name: string, allowed: string): Route {
  return {
    name,
    wrapsErrors: false,
    handle: (exchange) => {
      exchange.response.setHeader('Allow', allowed);
      if (isPreflight(exchange)) return respondNoContent(exchange, preflightHeaders(exchange, allowed));
      throw new AppError('method_not_allowed', `This address takes the methods ${allowed}.`);
    },
  };
}
