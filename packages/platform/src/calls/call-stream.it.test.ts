import { expect } from 'chai';

import {
  type EchoInbound,
  connectCallStream,
  echoAll,
  keepOpen,
  outcome,
  soon,
  startCallStreamServer,
} from '../../test/call-stream-echo.ts';
import { until } from '../../test/grpc-echo.ts';

describe('call stream: frames', () => {
  it('carries the calls of one tick in one frame, and hands them to the handler together', async () => {
    const received: number[] = [];
    await using server = await startCallStreamServer((calls, peer) => {
      received.push(calls.length);
      expect(peer).to.equal('caller');
      return echoAll(calls, peer);
    });
    await using connected = connectCallStream(server.port);
    const { client, frames } = connected;
    await client.call({ text: 'first' }, soon());
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => client.call({ text }, soon())));
    expect(replies.map(({ text }) => text)).to.deep.equal(['a', 'b', 'c']);
    expect(frames).to.deep.equal([1, 3]);
    expect(received).to.deep.equal([1, 3]);
  });

  it('carries the calls of several ticks in one frame while many calls are open', async () => {
    const { calls, handleFrame, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client, frames } = connected;
    const open = Array.from({ length: 9 }, () => client.call({ text: 'open' }, soon()));
    await until(() => calls.length === 9);
    const writtenBefore = frames.length;
    const startedAt = performance.now();
    let ticks = 0;
    // No more than the server reads before it has answered some.
    while (performance.now() < startedAt + 20 && ticks < 100) {
      open.push(client.call({ text: 'tick' }, soon()));
      await new Promise((resolve) => setImmediate(resolve));
      ticks += 1;
    }
    await until(() => calls.length === 9 + ticks);
    const elapsedMs = performance.now() - startedAt;
    // Timers of two milliseconds last more than one.
    expect(frames.length - writtenBefore).to.be.lessThanOrEqual(Math.ceil(elapsedMs) + 1);
    release();
    await Promise.all(open);
  });

  it('splits a tick by number and by size; a large call travels alone', async () => {
    await using server = await startCallStreamServer(echoAll);
    await using connected = connectCallStream(server.port, { maxCallsPerFrame: 2, maxFrameBytes: 100 });
    const { client, frames } = connected;
    await client.call({ text: 'first' }, soon());
    frames.length = 0;
    const lengths = [1, 1, 1, 60, 60, 300, 1];
    await Promise.all(lengths.map((length) => client.call({ text: 'x'.repeat(length) }, soon())));
    expect(frames).to.deep.equal([2, 2, 1, 1, 1]);
  });

  it('settles replies in whatever order they come', async () => {
    const { calls, handleFrame, answer, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    const settled: (string | undefined)[] = [];
    const all = ['a', 'b', 'c'].map((text) =>
      client.call({ text }, soon()).then((reply) => settled.push(reply.text)),
    );
    await until(() => calls.length === 3);
    for (const at of [2, 0, 1]) {
      const before = settled.length;
      answer(calls[at]!);
      await until(() => settled.length > before);
    }
    expect(settled).to.deep.equal(['c', 'a', 'b']);
    release();
    await Promise.all(all);
  });

  it('coalesces the replies of one tick, but splits them by size', async () => {
    await using server = await startCallStreamServer(echoAll, {}, { maxFrameBytes: 100 });
    let frames = 0;
    await using connected = connectCallStream(server.port, {
      repliesOf: (response) => {
        frames += 1;
        return response.replies;
      },
    });
    const { client } = connected;
    await Promise.all(Array.from({ length: 50 }, () => client.call({ text: 'x' }, soon())));
    expect(frames).to.equal(1);
    await Promise.all(Array.from({ length: 4 }, () => client.call({ text: 'x'.repeat(60) }, soon())));
    expect(frames).to.equal(5);
  });

  it('replaces a reply that is too large, and refuses a call that is', async () => {
    const handled: number[] = [];
    await using server = await startCallStreamServer(
      (calls, peer) => {
        handled.push(calls.length);
        return echoAll(calls, peer);
      },
      {},
      { maxReplyBytes: 100 },
    );
    await using connected = connectCallStream(server.port, { maxCallBytes: 1000 });
    const reply = await connected.client.call({ text: 'x'.repeat(101) }, soon());
    expect(reply.error?.code).to.equal('too_large');
    expect(await outcome(connected.client.call({ text: 'x'.repeat(1001) }, soon()))).to.equal('too_large');
    expect(handled).to.deep.equal([1]);
  });

  it('answers 50,000 calls, each with its own reply', async () => {
    await using server = await startCallStreamServer(echoAll);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    let next = 0;
    let wrong = 0;
    const worker = async () => {
      while (next < 50_000) {
        const text = `${(next += 1)}`;
        if ((await client.call({ text }, soon())).text !== text) wrong += 1;
      }
    };
    await Promise.all(Array.from({ length: 500 }, worker));
    expect(wrong).to.equal(0);
    expect(client.openCalls).to.equal(0);
  });
});

describe('call stream: deadlines and cancels', () => {
  it('ends a call at its deadline, gives the server the same deadline, and cancels it there', async () => {
    const { calls, handleFrame, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    await until(() => client.connected);
    const deadline = Date.now() + 300;
    const call = outcome(client.call({ text: 'slow' }, { deadline }));
    await until(() => calls.length === 1);
    const inbound = calls[0]!;
    expect(inbound.deadline).to.be.within(deadline - 5, deadline + 1_000);
    expect(await call).to.equal('deadline_exceeded');
    expect(Date.now()).to.be.within(deadline, deadline + 500);
    await until(() => inbound.signal.aborted);
    expect(client.openCalls).to.equal(0);
    release();
  });

  it('keeps many different deadlines, each to within a few ticks', async () => {
    const { calls, handleFrame, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    await until(() => client.connected);
    const start = Date.now();
    const delays = Array.from({ length: 200 }, (_, i) => 300 - i);
    const lateness = await Promise.all(
      delays.map(async (delay) => {
        await outcome(client.call({ text: '' }, { deadline: start + delay }));
        return Date.now() - start - delay;
      }),
    );
    expect(Math.min(...lateness)).to.be.at.least(0);
    expect(Math.max(...lateness)).to.be.lessThan(500);
    await until(() => calls.every((call) => call.cancelled));
    release();
  });

  it('cancels by the signal: at once here, and at the server in the next frame', async () => {
    const { calls, handleFrame, answer, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    const controller = new AbortController();
    const call = outcome(client.call({ text: 'a' }, { ...soon(), signal: controller.signal }));
    const other = client.call({ text: 'b' }, soon());
    await until(() => calls.length === 2);
    const signal = calls[0]!.signal;
    controller.abort();
    expect(await call).to.equal('cancelled');
    await until(() => signal.aborted);
    expect(calls[1]!.cancelled).to.equal(false);
    answer(calls[0]!);
    answer(calls[1]!);
    expect((await other).text).to.equal('b');
    release();
  });

  it('never writes a call that was cancelled in the same tick, or whose time is up', async () => {
    const { calls, handleFrame } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client, frames } = connected;
    await until(() => client.connected);
    const controller = new AbortController();
    const call = outcome(client.call({ text: 'a' }, { ...soon(), signal: controller.signal }));
    controller.abort();
    expect(await call).to.equal('cancelled');
    expect(await outcome(client.call({ text: 'b' }, { ...soon(), signal: controller.signal }))).to.equal(
      'cancelled',
    );
    expect(await outcome(client.call({ text: 'c' }, { deadline: Date.now() }))).to.equal('deadline_exceeded');
    expect([frames, calls]).to.deep.equal([[], []]);
  });

  it('sends no reply after a cancel, whatever the handler does', async () => {
    let late = 0;
    const entered = Promise.withResolvers<EchoInbound>();
    await using server = await startCallStreamServer((calls) => {
      entered.resolve(calls[0]!);
      return new Promise((resolve) => {
        calls[0]!.signal.addEventListener('abort', () => {
          calls[0]!.reply({ id: calls[0]!.call.id, text: 'late' });
          resolve();
        });
      });
    });
    await using connected = connectCallStream(server.port, {
      repliesOf: ({ replies }) => {
        late += replies.filter(({ text }) => text === 'late').length;
        return replies;
      },
    });
    const controller = new AbortController();
    const call = outcome(connected.client.call({ text: 'a' }, { ...soon(), signal: controller.signal }));
    const inbound = await entered.promise;
    controller.abort();
    await call;
    await until(() => inbound.cancelled);
    expect(await outcome(connected.client.call({ text: 'b' }, { deadline: Date.now() + 50 }))).to.equal(
      'deadline_exceeded',
    );
    expect(late).to.equal(0);
  });
});
