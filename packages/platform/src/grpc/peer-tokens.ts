import { string } from '../settings/builders.ts';
import { derived } from '../settings/setting.ts';

/** Name of a calling service -> SHA-256 (hex) of the token that it presents; several while one replaces another. */
export type PeerTokens = Readonly<Record<string, string | readonly string[]>>;

const peers = string(
  'PEERS',
  'Who may call: `name=<SHA-256 of its token in hex>`, separated by commas. List a name twice while you replace its token',
);

export const peerTokens = derived(peers, (text, problem): PeerTokens => {
  const tokens = new Map<string, string[]>();
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, peer, hash] = /^\s*([a-z][a-z0-9-]*)=([0-9a-f]{64})\s*$/.exec(entry) ?? [];
    if (peer === undefined || hash === undefined) {
      problem('PEERS must be a list like name=<SHA-256 in hex>,name=<SHA-256 in hex>');
      break;
    }
    tokens.set(peer, [...(tokens.get(peer) ?? []), hash]);
  }
  return Object.fromEntries(
    [...tokens].map(([peer, hashes]) => [peer, hashes.length === 1 ? hashes[0]! : hashes]),
  );
});
