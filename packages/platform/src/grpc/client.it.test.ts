import { createServer } from 'node:net';

import { expect } from 'chai';

import { EchoService, connect, startEcho, until } from '../../test/grpc-echo.ts';
import { AppError } from '../errors/app-error.ts';
import { type UnaryContext, unary } from './unary.ts';

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: AppError) => error.code,
  );

describe('gRPC channel: unary calls', () => {
  it('hands the server a shorter deadline than the caller has, the correlation id and the trace', async () => {
    const seen: UnaryContext[] = [];
    await using server = await startEcho({
      say: unary((request: { text: string }, context) => {
        seen.push(context);
        return Promise.resolve(request);
      }),
    });
    const channel = connect(server.port);
    const deadline = Date.now() + 3_000;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await channel.unary(EchoService.say, { text: '' }, { deadline, correlationId: 'c-7', traceparent });
    expect(seen[0]).to.include({ correlationId: 'c-7', traceparent, peer: 'caller' });
    expect(seen[0]!.deadline).to.be.within(deadline - 1_000, deadline);
    channel.close();
  });

  it('refuses at once what has no time left, without calling', async () => {
    let calls = 0;
    await using server = await startEcho({ say: unary(() => Promise.resolve({ text: `${(calls += 1)}` })) });
    const channel = connect(server.port);
    expect(
      await codeOf(channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + 15 })),
    ).to.equal('deadline_exceeded');
    expect(calls).to.equal(0);
    channel.close();
  });

  it('ends at the deadline and aborts the handler', async () => {
    let signal: AbortSignal | undefined;
    await using server = await startEcho({
      say: unary((_request: { text: string }, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      }),
    });
    const channel = connect(server.port);
    await channel.waitForReady(5_000);
    expect(
      await codeOf(channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + 250 })),
    ).to.equal('deadline_exceeded');
    await until(() => signal?.aborted === true);
    channel.close();
  });

  it('cancels by its signal, and the handler hears of it', async () => {
    let signal: AbortSignal | undefined;
    await using server = await startEcho({
      say: unary((_request: { text: string }, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      }),
    });
    const channel = connect(server.port);
    const controller = new AbortController();
    const call = codeOf(
      channel.unary(
        EchoService.say,
        { text: '' },
        { deadline: Date.now() + 9_000, signal: controller.signal },
      ),
    );
    await until(() => signal !== undefined);
    controller.abort();
    expect(await call).to.equal('cancelled');
    await until(() => signal!.aborted);
    expect((signal!.reason as AppError).code).to.equal('cancelled');
    channel.close();
  });

  it('tries again only what is safe, and only when it was unavailable', async () => {
    let calls = 0;
    let code: 'unavailable' | 'conflict' = 'unavailable';
    await using server = await startEcho({
      say: unary(() => {
        calls += 1;
        return Promise.reject(new AppError(code, 'no'));
      }),
    });
    const channel = connect(server.port);
    const count = async (safe: boolean) => {
      calls = 0;
      await codeOf(channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + 9_000, safe }));
      return calls;
    };
    expect(await count(false)).to.equal(1);
    expect(await count(true)).to.equal(7);
    code = 'conflict';
    expect(await count(true)).to.equal(1);
    channel.close();
  });
});

describe('gRPC channel: connection', () => {
  it('is made without a server, says that it is not ready, and is ready once the server is there', async () => {
    const reserved = createServer();
    await new Promise<void>((resolve) => reserved.listen(0, '127.0.0.1', resolve));
    const { port } = reserved.address() as { port: number };
    await new Promise((resolve) => reserved.close(resolve));

    const channel = connect(port);
    expect(channel.isReady()).to.equal(false);
    expect(await codeOf(channel.waitForReady(100))).to.equal('unavailable');
    const echo = { say: unary((request: { text: string }) => Promise.resolve(request)) };
    await using _server = await startEcho(echo, { port });
    await channel.waitForReady(10_000);
    expect(channel.isReady()).to.equal(true);
    expect(
      await channel.unary(EchoService.say, { text: 'hi' }, { deadline: Date.now() + 5_000 }),
    ).to.deep.equal({
      text: 'hi',
    });
    channel.close();
  });

  it('refuses a message above the limit without breaking the channel', async () => {
    await using server = await startEcho(
      { say: unary((request: { text: string }) => Promise.resolve(request)) },
      { maxMessageBytes: 1000 },
    );
    const channel = connect(server.port);
    const call = (length: number) =>
      codeOf(channel.unary(EchoService.say, { text: 'x'.repeat(length) }, { deadline: Date.now() + 5_000 }));
    expect(await call(2000)).to.equal('internal');
    expect(await call(10)).to.equal('ok');
    channel.close();
  });
});
