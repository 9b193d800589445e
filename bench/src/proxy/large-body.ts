import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { LoadTarget } from '../measure/load.ts';
import { forgetPeak, peakBytes, residentBytes } from '../measure/resident-memory.ts';
import type { GatewayProcess } from './gateways.ts';

const megabyte = 1024 * 1024;
const bodyBytes = 50 * megabyte;
const chunk = Buffer.alloc(64 * 1024, 'x');

export interface LargeBodyResult {
  readonly type: string;
  readonly idleMegabytes: number;
  /** The most above idle in each of the tries. */
  readonly aboveIdleMegabytes: readonly number[];
}

/** How a body with nothing to replace can be sent; the first is judged in chunks, the second is not looked into. */
const kinds = [
  { type: 'application/json', announced: true },
  { type: 'application/octet-stream', announced: true },
  { type: 'application/json', announced: false },
] as const;

const tries = 3;

/** Sends bodies of 50 MB through a gateway that has served a little before, and watches its memory (G11). */
export async function measureLargeBodies(
  gateway: GatewayProcess,
  target: LoadTarget,
): Promise<LargeBodyResult[]> {
  const small = Buffer.from(target.body);
  for (let i = 0; i < 500; i += 1) await send(target, [small], small.length);
  const results: LargeBodyResult[] = [];
  for (const { type, announced } of kinds) {
    await delay(1000);
    const idle = residentBytes(gateway.pid);
    const above: number[] = [];
    for (let i = 0; i < tries; i += 1) {
      forgetPeak(gateway.pid);
      const headers = { ...target.headers, 'Content-Type': type };
      await send({ ...target, headers }, largeBody(), announced ? bodyBytes : undefined);
      above.push((peakBytes(gateway.pid) - idle) / megabyte);
    }
    results.push({
      type: announced ? type : `${type}, length not announced`,
      idleMegabytes: idle / megabyte,
      aboveIdleMegabytes: above,
    });
  }
  return results;
}

/** One long string: as JSON it is valid, and it holds no expression. */
function* largeBody(): Generator<Buffer> {
  yield Buffer.from('"');
  for (let left = bodyBytes - 2; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
  yield Buffer.from('"');
}

/** @param length chunked when undefined. */
async function send(target: LoadTarget, body: Iterable<Buffer>, length?: number): Promise<void> {
  const { port, path } = target;
  const framing = length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length };
  const headers = { ...target.headers, ...framing };
  const outgoing = request({ port, path, host: '127.0.0.1', method: 'POST', headers });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
  });
  await pipeline(body, outgoing);
  const status = await answered;
  if (status !== 200) throw new Error(`a large body was answered with ${status}`);
}
