import { AppError } from '@glovebox/platform/errors/app-error';
import { memberOf } from '@glovebox/platform/redaction/known-values';

import type { Ask } from './bt-request.ts';
import type { Offer } from './bt-route.ts';
import { reactAnswer } from './react-answer.ts';
import { tokenOffers } from './token-routes.ts';

const react: Offer = {
  name: 'POST /reactors/{id}/react',
  plaintextOf: (answer) => memberOf(answer, 'raw'),
  perform: async ({ react, caller, ask, docsUrl }, id) => {
    const { correlationId } = caller;
    return reactAnswer(await react(id, ask.body, caller), { correlationId, docsUrl });
  },
};

const offers: readonly Offer[] = [...tokenOffers, react];

/** A trailing slash never makes a difference (contract/conventions.md#addresses). */
const patterns: readonly (readonly [Offer, RegExp])[] = offers.map((offer) => [
  offer,
  new RegExp(`^${offer.name.replaceAll('{id}', '([^/]+)')}/?$`),
]);

export interface FoundOffer {
  readonly offer: Offer;
  readonly ids: [string, string];
}

/** The offer that an ask is for, and the ids in its path. @throws AppError `not_found` that names what there is. */
export function findOffer({ method, path }: Pick<Ask, 'method' | 'path'>): FoundOffer {
  const address = `${method} ${path}`;
  for (const [offer, pattern] of patterns) {
    const match = pattern.exec(address);
    if (match !== null) return { offer, ids: [decodeId(match[1]), decodeId(match[2])] };
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
