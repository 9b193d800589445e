import type { KnownNames } from '@glovebox/openapi/known-names';
import { namesOfOperation } from '@glovebox/openapi/names-of-operation';
import { AppError } from '@glovebox/platform/errors/app-error';

import { isPreflight, preflightHeaders } from './answer-headers.ts';
import type { Exchange } from './exchange.ts';
import { respondNoContent } from './respond.ts';

/** Answers one request. @param ids of its path, percent-encoded */
export type Handler<Dependencies> = (
  exchange: Exchange,
  dependencies: Dependencies,
  ...ids: [string, string]
) => void | Promise<void>;

/** What a request is answered by. */
export interface Route {
  /** For logs, metrics and spans: low in cardinality. */
  readonly name: string;
  /** Errors are answered as `{"proxy_error": …}` (contract/errors.md#proxy-errors). */
  readonly wrapsErrors: boolean;
  /** The names that the operation knows; undefined where the request goes on to a destination. */
  readonly known: KnownNames | undefined;
  /** The request can be tried without any effect. */
  readonly hasDryRun: boolean;
  readonly handle: (exchange: Exchange) => void | Promise<void>;
}

export type Router = (method: string, path: string) => Route;

/** A path with the handler of each of its methods. */
export interface Address<Dependencies> {
  readonly name: string;
  readonly pattern: RegExp;
  readonly wrapsErrors: boolean;
  readonly methods: Readonly<Record<string, Handler<Dependencies>>>;
  readonly known: Readonly<Record<string, KnownNames | undefined>>;
  /** Its handlers know `exchange.isDryRun`; others never get such a request. */
  readonly hasDryRun?: boolean;
}

/** An address of the service's own. A trailing slash never makes a difference (contract/conventions.md#addresses). */
export function address<Dependencies>(
  name: string,
  methods: Address<Dependencies>['methods'],
): Address<Dependencies> {
  const pattern = new RegExp(`^${name.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`);
  const known = Object.fromEntries(
    Object.keys(methods).map((method) => [method, namesOfOperation(method, name)]),
  );
  return { name, pattern, wrapsErrors: false, methods, known };
}

/** The first address that has the path and the method; where only a path is found the method is refused. */
export function createRouter<Dependencies>(
  addresses: readonly Address<Dependencies>[],
  dependencies: Dependencies,
): Router {
  return (method, path) => {
    let refusing: Address<Dependencies> | undefined;
    for (const candidate of addresses) {
      const ids = candidate.pattern.exec(path);
      if (ids === null) continue;
      const { name, wrapsErrors, methods, known, hasDryRun = false } = candidate;
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handler !== undefined) {
        const [, first = '', second = ''] = ids;
        const handle = (exchange: Exchange) => handler(exchange, dependencies, first, second);
        return { name, wrapsErrors, known: known[method], hasDryRun, handle };
      }
      refusing = candidate;
    }
    return refusing === undefined ? unknownAddress : refusedMethod(refusing);
  };
}

const unknownAddress: Route = {
  name: 'unknown',
  wrapsErrors: false,
  known: undefined,
  hasDryRun: false,
  handle: () => {
    throw new AppError('not_found', 'There is nothing at this address.');
  },
};

function refusedMethod({ name, wrapsErrors, methods }: Address<never>): Route {
  const allowed = Object.keys(methods).join(', ');
  return {
    name,
    wrapsErrors,
    known: undefined,
    // The method is refused first.
    hasDryRun: true,
    handle: (exchange) => {
      exchange.response.setHeader('Allow', allowed);
      if (isPreflight(exchange)) return respondNoContent(exchange, preflightHeaders(exchange, allowed));
      throw new AppError('method_not_allowed', `This address takes the methods ${allowed}.`);
    },
  };
}
