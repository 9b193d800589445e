import type { Exchange } from './http/exchange.ts';
import { detokenize } from './tokens/detokenize.ts';
import { createKey, deleteKey, getKey, listKeys } from './tokens/keys.ts';
import { createTokenIntent, deleteTokenIntent } from './tokens/token-intents.ts';
import {
  type TokenRoutes,
  associate,
  createChild,
  createToken,
  deleteToken,
  dissociate,
  getToken,
  listChildren,
  listTokens,
  listTokensByCursor,
  searchTokens,
  searchTokensByCursor,
  tokenize,
  updateToken,
} from './tokens/tokens.ts';

type Handle = (exchange: Exchange, routes: TokenRoutes, ...ids: [string, string]) => Promise<void>;

interface Path {
  readonly name: string;
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, Handle>>;
}

/** The address of a token, as of any other, ends with or without a slash. */
const paths: readonly Path[] = [
  path('/tokens', { GET: listTokens, POST: createToken }),
  path('/tokenize', { POST: tokenize }),
  path('/detokenize', { POST: detokenize }),
  path('/tokens/{id}', { GET: getToken, PATCH: updateToken, DELETE: deleteToken }),
  path('/tokens/{id}/children', { GET: listChildren, POST: createChild }),
  path('/tokens/{id}/children/{id}', { POST: associate, DELETE: dissociate }),
  path('/token-intents', { POST: createTokenIntent }),
  path('/token-intents/{id}', { DELETE: deleteTokenIntent }),
  path('/keys', { GET: listKeys, POST: createKey }),
  path('/keys/{id}', { GET: getKey, DELETE: deleteKey }),
  path('/v2/tokens', { GET: listTokensByCursor }),
  path('/v2/tokens/search', { POST: searchTokensByCursor }),
];

/** Any other method there is about a token that is called "search". */
const search = path('/tokens/search', { POST: searchTokens });

function path(name: string, methods: Path['methods']): Path {
  return { name, pattern: new RegExp(`^${name.replaceAll('{id}', '([^/]+)')}/?$`), methods };
}

export interface TokenRoute {
  readonly name: string;
  /** Undefined: the address does not take the method. */
  readonly handle: ((exchange: Exchange, routes: TokenRoutes) => Promise<void>) | undefined;
  /** The methods that it takes. */
  readonly allowed: string;
}

/** Undefined for an address that has nothing to do with tokens or what they are encrypted to. */
export function findTokenRoute(method: string, address: string): TokenRoute | undefined {
  const candidates = method === 'POST' ? [search, ...paths] : paths;
  for (const { name, pattern, methods } of candidates) {
    const ids = pattern.exec(address);
    if (ids === null) continue;
    const [, first = '', second = ''] = ids;
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    return {
      name,
      handle: handle && ((exchange, routes) => handle(exchange, routes, first, second)),
      allowed: Object.keys(methods).join(', '),
    };
  }
  return undefined;
}
