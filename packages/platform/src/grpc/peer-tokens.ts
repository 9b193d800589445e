import type { EnvReader } from '../settings/env.ts';

/** Name of a calling service -> SHA-256 (hex) of the token that it presents; several while one takes over from another. */
export type PeerTokens = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads `control-api=<sha256 hex>,proxy-gateway=<sha256 hex>`: who may call, by the hash of the token that proves it. A name
 * that stands there twice has two tokens.
 */
export function readPeerTokens(env: EnvReader, name: string): PeerTokens {
  const peers = new Map<string, string[]>();
  const text = env.string(name);
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, peer, hash] = /^\s*([a-z][a-z0-9-]*)=([0-9a-f]{64})\s*$/.exec(entry) ?? [];
    if (peer === undefined || hash === undefined) {
      env.problem(`${name} must be a list like name=<SHA-256 in hex>,name=<SHA-256 in hex>`);
      break;
    }
    peers.set(peer, [...(peers.get(peer) ?? []), hash]);
  }
  return Object.fromEntries(
    [...peers].map(([peer, hashes]) => [peer, hashes.length === 1 ? hashes[0]! : hashes]),
  );
}
