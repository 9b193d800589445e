import type { Reply } from '../../http/call.ts';

/** JSON as the vault wrote it: parsing would round its numbers. */
export function jsonReply(json: string): Reply {
  const chunks = (async function* () {
    yield json;
  })();
  return { status: 200, stream: { type: 'application/json; charset=utf-8', chunks } };
}
