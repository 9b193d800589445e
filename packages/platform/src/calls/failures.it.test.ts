import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';

import {
  connectCallStream,
  echoAll,
  keepOpen,
  outcome,
  soon,
  startCallStreamServer,
} from '../../test/call-stream-echo.ts';
import { type Frame, until } from '../../test/grpc-echo.ts';
import { AppError } from '../errors/app-error.ts';

/** The echo server in a process of its own. */
async function startProcess(port: number) {
  const file = join(import.meta.dirname, '../../test/call-stream-process.ts');
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
