import type { Socket } from 'node:net';

import { hashKey } from '@glovebox/access/api-key';

interface Hashed {
  readonly key: string;
  readonly hash: string;
}

/** The keys of each connection's last request. They go with the connection. */
const last = { proxy: new WeakMap<Socket, Hashed>(), application: new WeakMap<Socket, Hashed>() };

/** `hashKey`, but free for a key that the connection's last request brought too, as most do. */
export function hashOnConnection(socket: Socket, kind: keyof typeof last, key: string): string {
  const known = last[kind].get(socket);
  if (known?.key === key) return known.hash;
  const hash = hashKey(key);
  last[kind].set(socket, { key, hash });
  return hash;
}
