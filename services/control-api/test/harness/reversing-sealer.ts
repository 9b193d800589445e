import { randomUUID } from 'node:crypto';

import type { Place, Sealer } from '../../src/secrets/sealer.ts';

/**
 * In place of the vault where a test is not about secrets: binds to the place like it, seals the same value in other bytes
 * each time, and keeps nothing secret.
 * proxies.it.test.ts runs against a real vault.
 */
export const reversingSealer: Sealer = {
  seal: (secrets) =>
    Promise.resolve(
      secrets.map(({ place, plaintext }) =>
        Buffer.from(`${nameOf(place)}|${randomUUID()}|${reverse(plaintext)}`),
      ),
    ),
  reseal: (secrets) => Promise.resolve(secrets.map(() => undefined)),
  open: (secrets) =>
    Promise.resolve(
      secrets.map(({ place, sealed }) => {
        const prefix = `${nameOf(place)}|`;
        const text = sealed.toString();
        if (!text.startsWith(prefix)) throw new Error('sealed for another place');
        return reverse(text.slice(prefix.length + randomUUID().length + 1));
      }),
    ),
};

function nameOf({ tenantId, recordId, field }: Place): string {
  return [tenantId, recordId, field].join('/');
}

function reverse(text: string): string {
  return text.split('').toReversed().join('');
}
