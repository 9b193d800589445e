import { createHash } from 'node:crypto';

import type { apiOf } from '../api.ts';
import type { Destination } from '../destination.ts';

/** Values that are nowhere else; a card number that passes its check, and text for everything else. */
export const pan = '3566002020360505';
export const text = 'canary-7f3a9e51c8d24b60';
export const cvc = '8417';
export const configurationSecret = 'canary-configuration-5d0e8a97';
export const callbackSecret = 'canary-callback-91c4e6d0';

/** What goes through the doors, and what came out where it may. */
export interface Visit {
  readonly api: ReturnType<typeof apiOf>;
  /** Of the private application. */
  readonly key: string;
  readonly managementKey: string;
  readonly destination: Destination;
  /** Every secret that was handed out or in, by name. */
  readonly secrets: Record<string, string>;
  /** What reactors told, which only their callers may know. */
  readonly answers: string[];
  /** What tenants were told of their code. */
  readonly logs: string[];
}

/** Ways in which a value could be somewhere without being seen at once, its plain hashes included. */
export function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  const hash = (algorithm: string) => createHash(algorithm).update(value);
  return [
    value,
    [...value].toReversed().join(''),
    bytes.toString('hex'),
    // The same bytes at each offset that base64 can put them at, without the ends that depend on their neighbours.
    ...[0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    ),
    ...['md5', 'sha1', 'sha256'].flatMap((name) => [hash(name).digest('hex'), hash(name).digest('base64')]),
  ];
}
