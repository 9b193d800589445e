import { constants as crypto } from 'node:crypto';
import { constants as os } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { constants as zlib } from 'node:zlib';

import type { Operations } from './arguments.ts';

/** Tables of numbers, without what Node.js 16 does not know. */
export const constantOperations: Operations = {
  constants: () => ({
    os: plain(os),
    // The library sets this one itself.
    crypto: without(/^defaultCipherList$/, crypto),
    zlib: without(/ZSTD/, zlib),
    fs: {},
    trace: {},
  }),
  'uv.errors': () => [...getSystemErrorMap()],
};

function without(names: RegExp, table: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.test(name)));
}

/** Nested tables have no prototype, which does not cross. */
function plain(table: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'object' && value !== null ? plain(value) : value,
    ]),
  );
}
