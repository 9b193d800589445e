import { AppError } from '@glovebox/platform/errors';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import type { Answer, Ask } from './ask.ts';
import { type ReactOutcome, reactAnswer } from './react-answer.ts';

/** What an offer is made with. */
export interface Offering {
  readonly vault: Pick<VaultClient, 'createToken' | 'getToken' | 'deleteToken' | 'tokenize'>;
  readonly caller: VaultCaller;
  readonly ask: Ask;
  /** Invokes another reactor on behalf of the same caller. */
  readonly react: (reactorId: string, body: Buffer, caller: VaultCaller) => Promise<ReactOutcome>;
}

export interface Offer {
  /** For spans: low in cardinality. */
  readonly name: string;
  readonly method: string;
  /** A trailing slash never makes a difference (api-facts section 1.1). */
  readonly path: RegExp;
  /** @param id what the path's group holds, decoded; empty without one. @throws AppError */
  readonly perform: (offering: Offering, id: string) => Promise<Answer>;
}

/** All that `bt` can do within user code. */
export const offers: readonly Offer[] = [
  {
    name: 'POST /tokens',
    method: 'POST',
    path: /^\/tokens\/?$/,
    async perform({ vault, caller, ask }) {
      return json(201, (await vault.createToken(caller, ask.body)).json);
    },
  },
  {
    name: 'GET /tokens/{id}',
    method: 'GET',
    path: /^\/tokens\/([^/]+)\/?$/,
    async perform({ vault, caller }, id) {
      return json(200, (await vault.getToken(caller, id)).json);
    },
  },
  {
    name: 'DELETE /tokens/{id}',
    method: 'DELETE',
    path: /^\/tokens\/([^/]+)\/?$/,
    async perform({ vault, caller }, id) {
      await vault.deleteToken(caller, id);
      return { status: 204, headers: {}, body: nothing };
    },
  },
  {
    name: 'POST /tokenize',
    method: 'POST',
    path: /^\/tokenize\/?$/,
    async perform({ vault, caller, ask }) {
      return json(200, await vault.tokenize(caller, ask.body));
    },
  },
  {
    name: 'POST /reactors/{id}/react',
    method: 'POST',
    path: /^\/reactors\/([^/]+)\/react\/?$/,
    async perform({ react, caller, ask }, id) {
      return reactAnswer(await react(id, ask.body, caller));
    },
  },
];

const nothing = Buffer.alloc(0);

/** The offer that an ask is for, and the id in its path. @throws AppError `not_found` that names what there is. */
export function findOffer({ method, path }: Pick<Ask, 'method' | 'path'>): { offer: Offer; id: string } {
  for (const offer of offers) {
    const match = offer.method === method ? offer.path.exec(path) : null;
    if (match !== null) return { offer, id: decodeId(match[1]) };
  }
  const there = offers.map(({ name }) => name).join(', ');
  throw new AppError('not_found', `Within user code there is no such call by bt. There are: ${there}.`);
}

/** Malformed percent-encoding names nothing. */
function decodeId(encoded: string | undefined): string {
  try {
    return decodeURIComponent(encoded ?? '');
  } catch {
    throw new AppError('not_found', 'There is nothing with this id.');
  }
}

function json(status: number, body: Buffer): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}
