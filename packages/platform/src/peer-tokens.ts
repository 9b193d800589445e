import type { EnvReader } from './env.ts';

/** Name of a calling service -> SHA-256 (hex) of the token that it presents. */
export type PeerTokens = Readonly<Record<string, string>>;

/** Reads `control-api=<sha256 hex>,proxy-gateway=<sha256 hex>`: who may call, by the hash of the token that proves it. */
export function readPeerTokens(env: EnvReader, name: string): PeerTokens {
  const peers: Record<string, string> = {};
  const text = env.string(name);
  for (const entry of text === '' ? [] : text.split(',')) {
    const match = /^\s*([a-z][a-z0-9-]*)=([0-9a-f]{64})\s*$/.exec(entry);
    if (match === null) {
      env.problem(`${name} must be a list like name=<SHA-256 in hex>,name=<SHA-256 in hex>`);
      break;
    }
    peers[match[1] as string] = match[2] as string;
  }
  return peers;
}
