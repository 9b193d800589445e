import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import {
  type EchoInbound,
  connectCallStream,
  echoAll,
  outcome,
  soon,
  startCallStreamServer,
} from '../test/call-stream-echo.ts';
import { EchoService, type Frame, type Frames, connect, until } from '../test/grpc-echo.ts';
import { AppError } from './errors.ts';

/** A handler that keeps the calls of all frames open until the test answers them. */
function keepOpen() {
  const calls: EchoInbound[] = [];
  const release = Promise.withResolvers<void>();
  const handleFrame = (frame: readonly EchoInbound[]) => {
    calls.push(...frame);
    return release.promise;
  };
  const answer = (inbound: EchoInbound) => inbound.reply({ id: inbound.call.id, text: inbound.call.text });
  return { calls, handleFrame, answer, release: release.resolve };
}

/** The echo server in a process of its own. */
async function startProcess(port: number) {
  const file = join(import.meta.dirname, '../test/call-stream-process.ts');
  const child = fork(file, [String(port)], { execArgv: ['--conditions=source'] });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return {
    port: message.port,
    kill,
    async [Symbol.asyncDispose]() {
      kill();
      await exited;
    },
  };
}

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

describe('call stream: handlers that fail', () => {
  it('fails just the unanswered calls of the frame, and tells nothing of an unknown error', async () => {
    let frame = 0;
    await using server = await startCallStreamServer(async (calls) => {
      frame += 1;
      if (frame === 2) {
        calls[0]!.reply({ id: calls[0]!.call.id, text: 'in time' });
        throw new Error('password=hunter2');
      }
      if (frame === 3) throw new AppError('unavailable', 'no database');
      await echoAll(calls, '');
    });
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    await client.call({ text: '' }, soon());
    const [first, second] = await Promise.all(['a', 'b'].map((text) => client.call({ text }, soon())));
    expect(first!.text).to.equal('in time');
    expect(second!.error?.code).to.equal('internal');
    expect(JSON.stringify(second)).not.to.contain('hunter2');
    expect((await client.call({ text: '' }, soon())).error).to.include({
      code: 'unavailable',
      message: 'no database',
    });
    expect((await client.call({ text: 'd' }, soon())).text).to.equal('d');
  });

  it('answers what a handler forgot, and reports one that answers twice', async () => {
    let frame = 0;
    await using server = await startCallStreamServer((calls) => {
      frame += 1;
      if (frame === 1) return;
      for (let times = 0; times < 2; times += 1) calls[0]!.reply({ id: calls[0]!.call.id, text: 'once' });
    });
    await using connected = connectCallStream(server.port);
    expect((await connected.client.call({ text: '' }, soon())).error?.code).to.equal('internal');
    expect((await connected.client.call({ text: '' }, soon())).text).to.equal('once');
    const reports = server.lines.filter(({ msg }) => msg === 'a frame of calls failed');
    expect(JSON.stringify(reports[0])).to.contain('unanswered');
    expect(JSON.stringify(reports[1])).to.contain('answered twice');
  });

  it('breaks off a stream on which a peer uses an id twice', async () => {
    const { calls, handleFrame } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port, {
      frameOf: (frame, cancelled): Frame => ({ calls: frame.map((call) => ({ ...call, id: 7 })), cancelled }),
    });
    const { client } = connected;
    const first = outcome(client.call({ text: '' }, soon()));
    await until(() => calls.length === 1);
    const second = outcome(client.call({ text: '' }, soon()));
    expect(await Promise.all([first, second])).to.deep.equal(['unavailable', 'unavailable']);
    expect(calls).to.have.lengthOf(1);
    await until(() => calls[0]!.cancelled);
  });
});

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

describe('call stream: a server that goes away', () => {
  it('fails all open calls at once when its process is killed, never makes them again, and goes on with the next', async () => {
    await using first = await startProcess(0);
    await using connected = connectCallStream(first.port, { reconnectWaitMs: 20_000 });
    const { client } = connected;
    expect((await client.call({ text: 'echo' }, soon())).text).to.equal('echo');
    const open = Array.from({ length: 100 }, () => outcome(client.call({ text: 'hang' }, soon())));
    await client.call({ text: 'echo' }, soon());
    first.kill();
    expect(new Set(await Promise.all(open))).to.deep.equal(new Set(['unavailable']));
    expect(client.connected).to.equal(false);

    const waiting = client.call({ text: 'count' }, soon());
    await using _second = await startProcess(first.port);
    expect((await waiting).text).to.equal('1 calls');
  });

  it('lets calls wait for a short outage only: then they fail, and new ones at once', async () => {
    const first = await startCallStreamServer(echoAll);
    await using connected = connectCallStream(first.port, { reconnectWaitMs: 100 });
    const { client } = connected;
    await client.call({ text: '' }, soon());
    await first.close();
    await until(() => !client.connected);
    const started = Date.now();
    expect(await outcome(client.call({ text: '' }, soon()))).to.equal('unavailable');
    expect(Date.now() - started).to.be.lessThan(2_000);
    const later = new Promise((resolve) => setImmediate(resolve, 'later'));
    expect(await Promise.race([outcome(client.call({ text: '' }, soon())), later])).to.equal('unavailable');

    await using _second = await startCallStreamServer(echoAll, { port: first.port });
    await until(() => client.connected);
    expect((await client.call({ text: 'back' }, soon())).text).to.equal('back');
  });

  it('never blocks the start: a client without a server fails its calls and connects when there is one', async () => {
    const gone = await startCallStreamServer(echoAll);
    await gone.close();
    await using connected = connectCallStream(gone.port, { reconnectWaitMs: 50 });
    const { client } = connected;
    expect(await outcome(client.call({ text: '' }, soon()))).to.equal('unavailable');
    await using _server = await startCallStreamServer(echoAll, { port: gone.port });
    await until(() => client.connected);
    expect((await client.call({ text: 'hi' }, soon())).text).to.equal('hi');
  });

  it('loses no call to a server that closes in order, and goes on with the one that follows', async () => {
    const first = await startCallStreamServer(async (calls, peer) => {
      await new Promise((resolve) => setImmediate(resolve));
      return echoAll(calls, peer);
    });
    await using connected = connectCallStream(first.port, { reconnectWaitMs: 20_000 });
    const { client } = connected;
    await client.call({ text: '' }, soon());
    const results: string[] = [];
    const stop = new AbortController();
    const worker = async () => {
      while (!stop.signal.aborted) results.push(await outcome(client.call({ text: 'x' }, soon())));
    };
    const workers = Array.from({ length: 50 }, worker);
    await until(() => results.length > 500);
    await first.close();
    const atClose = results.length;
    await using _second = await startCallStreamServer(echoAll, { port: first.port });
    await until(() => results.length > atClose + 500);
    stop.abort();
    await Promise.all(workers);
    expect(new Set(results)).to.deep.equal(new Set(['ok']));
  });

  it('aborts the signals of all open calls at the server when the client is gone', async () => {
    const { calls, handleFrame, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    const connected = connectCallStream(server.port);
    const open = outcome(connected.client.call({ text: '' }, soon()));
    await until(() => calls.length === 1);
    const { signal } = calls[0]!;
    await connected[Symbol.asyncDispose]();
    expect(await open).to.equal('unavailable');
    await until(() => signal.aborted);
    release();
  });
});

describe('call stream: close', () => {
  it('waits for open calls, takes no new ones, and fails what is left at the deadline', async () => {
    const { calls, handleFrame, answer, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const { client } = connected;
    const [kept, lost] = ['a', 'b'].map((text) => client.call({ text }, soon()));
    const lostOutcome = outcome(lost!);
    await until(() => calls.length === 2);
    const closed = client.close(Date.now() + 200);
    expect(await outcome(client.call({ text: 'c' }, soon()))).to.equal('unavailable');
    answer(calls[0]!);
    expect((await kept!).text).to.equal('a');
    expect(await lostOutcome).to.equal('unavailable');
    await closed;
    expect(client.openCalls).to.equal(0);
    release();
  });

  it('ends as soon as nothing is open', async () => {
    const { calls, handleFrame, answer, release } = keepOpen();
    await using server = await startCallStreamServer(handleFrame);
    await using connected = connectCallStream(server.port);
    const call = connected.client.call({ text: 'a' }, soon());
    await until(() => calls.length === 1);
    const closed = connected.client.close(Date.now() + 600_000);
    answer(calls[0]!);
    await Promise.all([call, closed]);
    release();
  });
});
