import { type Address, address } from './http/router.ts';
import {
  type InvocationLogDependencies,
  listProxyInvocations,
  listReactorInvocations,
} from './invocation-log/list-invocations.ts';
import { type ProxyDependencies, handleProxy } from './proxy/handle.ts';
import { getResult } from './reactors/get-result.ts';
import { type ReactorDependencies, react, reactAsync } from './reactors/react.ts';
import { authorizeSession, createSession } from './sessions/sessions.ts';
import { detokenize } from './tokens/detokenize.ts';
import { createKey, deleteKey, getKey, listKeys } from './tokens/keys.ts';
import { createTokenIntent, deleteTokenIntent } from './tokens/token-intents.ts';
import {
  type TokenDependencies,
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

export type Dependencies = ProxyDependencies &
  TokenDependencies &
  ReactorDependencies &
  InvocationLogDependencies;

/** Every address of the data plane. What follows `/proxy` is the destination's path. */
export const addresses: readonly Address<Dependencies>[] = [
  {
    name: '/proxy',
    pattern: /^\/proxy(?:\/|$)/,
    wrapsErrors: true,
    methods: {
      POST: handleProxy,
      GET: handleProxy,
      PUT: handleProxy,
      PATCH: handleProxy,
      DELETE: handleProxy,
    },
    known: {},
    hasDryRun: true,
  },
  address('/tokens', { GET: listTokens, POST: createToken }),
  address('/tokenize', { POST: tokenize }),
  address('/detokenize', { POST: detokenize }),
  // Any other method is about a token whose id is "search".
  address('/tokens/search', { POST: searchTokens }),
  address('/tokens/{id}', { GET: getToken, PATCH: updateToken, DELETE: deleteToken }),
  address('/tokens/{id}/children', { GET: listChildren, POST: createChild }),
  address('/tokens/{id}/children/{id}', { POST: associate, DELETE: dissociate }),
  address('/token-intents', { POST: createTokenIntent }),
  address('/token-intents/{id}', { DELETE: deleteTokenIntent }),
  address('/keys', { GET: listKeys, POST: createKey }),
  address('/keys/{id}', { GET: getKey, DELETE: deleteKey }),
  address('/v2/tokens', { GET: listTokensByCursor }),
  address('/v2/tokens/search', { POST: searchTokensByCursor }),
  { ...address('/reactors/{id}/react', { POST: react }), hasDryRun: true },
  address('/reactors/{id}/react-async', { POST: reactAsync }),
  address('/reactors/{id}/results/{request_id}', { GET: getResult }),
  address('/sessions', { POST: createSession }),
  address('/sessions/authorize', { POST: authorizeSession }),
  address('/proxies/{id}/invocations', { GET: listProxyInvocations }),
  address('/reactors/{id}/invocations', { GET: listReactorInvocations }),
];
