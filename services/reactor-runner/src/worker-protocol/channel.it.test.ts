import { once } from 'node:events';
import { type Socket, createConnection, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';
import fc from 'fast-check';

import { Channel } from './channel.ts';
import { parentCodec, workerCodec } from './codec.ts';
import type { FromWorker, ToWorker } from './messages.ts';

const id = fc.integer({ min: 0, max: 0xffffffff });
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'grapheme', maxLength: 300 });

const toWorker = fc.oneof<fc.Arbitrary<ToWorker>[]>(
  fc.record({ type: fc.constant('load'), codeId: id, code: text }),
  fc.record({ type: fc.constant('forget'), codeId: id }),
  fc.record({ type: fc.constant('reach'), codeId: id, reach: fc.record({ allowed: fc.array(text) }) }),
  fc.record({
    type: fc.constant('run'),
    callId: id,
    codeId: id,
    timeoutMs: id,
    hasBt: fc.boolean(),
    isMeasured: fc.boolean(),
    argument: bytes,
  }),
  fc.record({ type: fc.constant('cancel'), callId: id }),
  fc.record({ type: fc.constant('btResponse'), callId: id, requestId: id, response: bytes }),
  fc.record({ type: fc.constant('compile'), callId: id, loadMs: id, code: text }),
);

const fromWorker = fc.oneof<fc.Arbitrary<FromWorker<string>>[]>(
  fc.record({ type: fc.constant('ready') }),
  fc.record({ type: fc.constant('suspended'), callId: id }),
  fc.record({ type: fc.constant('btRequest'), callId: id, requestId: id, request: bytes }),
  fc.record({ type: fc.constant('logged'), callId: id, log: bytes }),
  fc.record({
    type: fc.constant('egress'),
    callId: id,
    place: text,
    reason: fc.constantFrom('allowed_destinations', 'egress_policy'),
    denied: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('settled'),
    callId: id,
    tookMs: id,
    heldKb: id,
    outcome: fc.oneof(
      fc.record({ kind: fc.constant('returned' as const), result: text }),
      fc.record({ kind: fc.constant('threw' as const), thrown: text }),
      fc.record({ kind: fc.constant('not_a_function' as const), reason: text }),
      ...(['bad_argument', 'result_too_large', 'timeout', 'memory', 'crashed', 'cancelled'] as const).map(
        (kind) => fc.constant({ kind }),
      ),
    ),
  }),
);

const maxFrameBytes = 2000;

/** As the runner gets it: results are passed on as bytes. */
function withBytes(message: FromWorker<string>): FromWorker {
  if (message.type !== 'settled') return message;
  const { outcome } = message;
  if (outcome.kind !== 'returned') return { ...message, outcome };
  return { ...message, outcome: { kind: 'returned', result: Buffer.from(outcome.result) } };
}

describe('the channel between the runner and a worker', () => {
  it('gives the runner every message of the worker, whole and in order, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fromWorker), fc.integer({ min: 1, max: 700 }), async (messages, chunk) => {
        const sent = await bytesOf(workerCodec, messages);
        expect(await received(parentCodec, sent, chunk)).to.deep.equal(messages.map(withBytes));
      }),
      { numRuns: 60 },
    );
  });

  it('gives the worker every message of the runner, though each chunk is overwritten by the next', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(toWorker), fc.integer({ min: 1, max: 700 }), async (messages, chunk) => {
        const sent = await bytesOf(parentCodec, messages);
        expect(await received(workerCodec, sent, chunk)).to.deep.equal(messages);
      }),
      { numRuns: 60 },
    );
  });

  it('breaks at bytes that are no message, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (noise) => {
        await received(parentCodec, Buffer.from(noise), 400);
      }),
      { numRuns: 60 },
    );
    for (const hostile of [
      [0xff, 0xff, 0xff, 0xff],
      [0, 0, 0, 0],
      [5, 0, 0, 0, 99, 0, 0, 0, 0],
      [2, 0, 0, 0, 7, 1],
    ]) {
      expect(await received(parentCodec, Buffer.from([...hostile, ...Buffer.alloc(4)]), 100)).to.equal(
        'broken',
      );
    }
  });
});

/** What a channel puts on the wire. */
async function bytesOf(
  codec: typeof workerCodec | typeof parentCodec,
  messages: readonly object[],
): Promise<Buffer> {
  const { near, far } = await socketPair();
  const channel = new Channel(near, codec as never, maxFrameBytes);
  const chunks: Buffer[] = [];
  far.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const message of messages) channel.send(message as never);
  setImmediate(() => near.end());
  await once(far, 'close');
  return Buffer.concat(chunks);
}

/** What a channel makes of bytes that come in chunks. */
async function received(
  codec: typeof workerCodec | typeof parentCodec,
  sent: Buffer,
  chunkBytes: number,
): Promise<unknown[] | 'broken'> {
  const { near, far } = await socketPair();
  const messages: unknown[] = [];
  let broken = false;
  new Channel(near, codec as never, maxFrameBytes).listen(
    (message) => messages.push(codec === workerCodec ? kept(message as object) : message),
    () => (broken = true),
  );
  for (let at = 0; at < sent.length; at += chunkBytes) {
    const chunk = Buffer.from(sent.subarray(at, at + chunkBytes));
    near.emit('data', chunk);
    if (codec === workerCodec) chunk.fill(0xff);
  }
  far.destroy();
  near.destroy();
  return broken ? 'broken' : messages;
}

/** As it is when it comes, which is when a worker uses it up. */
function kept(message: object): object {
  const copy = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : value);
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, copy(value)]));
}

async function socketPair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: false }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return { near, far };
}
