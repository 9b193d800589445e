import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import {
  connectCallStream,
  echoAll,
  keepOpen,
  outcome,
  soon,
  startCallStreamServer,
} from '../../test/call-stream-echo.ts';
import { EchoService, type Frames, connect, until } from '../../test/grpc-echo.ts';
import type { AppError } from '../errors/app-error.ts';

describe('call stream: back-pressure', () => {
  it('reads no more than the server has room for, bounds what waits, and refuses the rest at once', async () => {
    const { calls, handleFrame, answer, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame, {}, { maxInFlight: 100 });
    await using connected = connectCallStream(server.port, {
      maxCallsPerFrame: 10,
      maxOpenCalls: 5000,
      maxQueuedBytes: 1_000_000,
    });
    const { client } = connected;
    await until(() => client.connected);
    const text = 'x'.repeat(2000);
    const outcomes: string[] = [];
    const all: Promise<unknown>[] = [];
    for (let i = 0; i < 4000; i += 1) {
      all.push(outcome(client.call({ text }, soon())).then((result) => outcomes.push(result)));
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
    const refused = outcomes.length;
    expect(refused).to.be.greaterThan(100);
    expect(new Set(outcomes)).to.deep.equal(new Set(['unavailable']));
    expect(calls.length).to.be.within(100, 110);
    // Slowly served, all that was taken is answered.
    while (outcomes.length < 4000) {
      for (const call of calls) if (call.unanswered) answer(call);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(outcomes.filter((result) => result === 'ok')).to.have.lengthOf(4000 - refused);
    release();
    await Promise.all(all);
  });

  it('stops reading from a peer that does not read its replies, and goes on when it does', async () => {
    let received = 0;
    await using server = await startCallStreamServer((calls, peer) => {
      received += calls.length;
      return echoAll(calls, peer);
    });
    const channel = connect(server.port);
    const stream = channel.stream(EchoService.exchange);
    let replies = 0;
    stream.on('data', (frame: Frames) => (replies += frame.replies.length));
    await once(stream, 'metadata');
    stream.pause();
    const text = 'x'.repeat(50_000);
    let written = 0;
    // Half a second without progress is what being stopped looks like from here.
    for (let stopped = false; !stopped;) {
      const drained = once(stream, 'drain').then(() => false);
      while (!stream.writableNeedDrain) {
        stream.write({ calls: [{ id: (written += 1), timeoutMs: 30_000, text }], cancelled: [] });
      }
      stopped = await Promise.race([drained, setTimeout(500, true)]);
    }
    expect(received).to.be.lessThan(written);
    expect(written * text.length).to.be.lessThan(20_000_000);
    stream.resume();
    await until(() => replies === written);
    stream.end();
    await once(stream, 'end');
    channel.close();
  });

  it('refuses a call beyond the number that may be open', async () => {
    const { handleFrame, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port, { maxOpenCalls: 3 });
    const { client } = connected;
    const all = [1, 2, 3].map(() => outcome(client.call({ text: '' }, soon())));
    const error = await client.call({ text: '' }, soon()).catch((thrown: unknown) => thrown as AppError);
    expect(error).to.include({ code: 'unavailable', message: 'Too many requests are waiting already.' });
    await client.close(Date.now());
    expect(await Promise.all(all)).to.deep.equal(['unavailable', 'unavailable', 'unavailable']);
    release();
  });
});
