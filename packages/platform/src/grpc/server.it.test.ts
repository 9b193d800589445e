import { createHash } from 'node:crypto';

import { Client, Metadata, type ServiceError, credentials, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { service as healthService } from 'grpc-health-check';

import { EchoService, callerToken, connect, startEcho, until } from '../../test/grpc-echo.ts';
import { AppError } from '../errors/app-error.ts';
import { unary } from './unary.ts';

const echo = { say: unary((request: { text: string }) => Promise.resolve(request)) };

/** A call without any of our client's help: the status that it ends with. */
function raw(
  port: number,
  metadata: Metadata,
  method: { path: string } = EchoService.say,
): Promise<{ code: status; value?: unknown }> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const definition = { ...EchoService.say, ...method };
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      { text: 'x' },
      metadata,
      (error: ServiceError | null, value?: unknown) => {
        client.close();
        resolve({ code: error?.code ?? status.OK, value });
      },
    );
  });
}

function bearing(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

describe('gRPC server: who may call', () => {
  it('lets in the peer whose token it knows and that the table allows', async () => {
    await using server = await startEcho(echo);
    expect(await raw(server.port, bearing(callerToken))).to.deep.equal({
      code: status.OK,
      value: { text: 'x' },
    });
  });

  it('answers UNAUTHENTICATED without a token, with a wrong one, and with another scheme', async () => {
    await using server = await startEcho(echo);
    const basic = new Metadata();
    basic.set('authorization', `Basic ${callerToken}`);
    for (const metadata of [new Metadata(), bearing('wrong'), bearing(''), basic]) {
      expect((await raw(server.port, metadata)).code).to.equal(status.UNAUTHENTICATED);
    }
    expect(JSON.stringify(server.lines)).not.to.contain(callerToken);
  });

  it('lets a peer in by either of two tokens, while one takes over from the other', async () => {
    const hashes = ['old-token', 'new-token'].map((token) =>
      createHash('sha256').update(token).digest('hex'),
    );
    await using server = await startEcho(echo, { peers: { caller: hashes } });
    for (const token of ['old-token', 'new-token'])
      expect((await raw(server.port, bearing(token))).code).to.equal(status.OK);
    expect((await raw(server.port, bearing(callerToken))).code).to.equal(status.UNAUTHENTICATED);
  });

  it('answers PERMISSION_DENIED to a known peer that the table does not name', async () => {
    const other = createHash('sha256').update('other-token').digest('hex');
    await using server = await startEcho(echo, {
      peers: { other },
      allow: { [EchoService.say.path]: ['caller'] },
    });
    expect((await raw(server.port, bearing('other-token'))).code).to.equal(status.PERMISSION_DENIED);
  });

  it('denies a method that the table does not mention', async () => {
    await using server = await startEcho(echo, { allow: {} });
    expect((await raw(server.port, bearing(callerToken))).code).to.equal(status.PERMISSION_DENIED);
  });

  it('does not start with a table that names an unknown method, or with a malformed token hash', async () => {
    const failure = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
    expect(await failure(startEcho(echo, { allow: { '/a.B/C': ['caller'] } }))).to.contain('/a.B/C');
    expect(await failure(startEcho(echo, { peers: { caller: 'secret' } }))).to.match(/caller.*SHA-256/);
  });

  it('says which address it could not take', async () => {
    await using server = await startEcho(echo);
    const second = startEcho(echo, { port: server.port });
    const message = await second.then(String, (error: Error) => error.message);
    expect(message).to.contain(`127.0.0.1:${server.port}`);
  });
});

describe('gRPC server: health and reflection', () => {
  const check = { ...healthService['Check']! } as unknown as typeof EchoService.say;

  it('answers health checks to anyone: NOT_SERVING until it is ready', async () => {
    await using server = await startEcho(echo);
    expect((await raw(server.port, new Metadata(), check)).value).to.deep.equal({ status: 'NOT_SERVING' });
    server.setServing(true);
    expect((await raw(server.port, new Metadata(), check)).value).to.deep.equal({ status: 'SERVING' });
  });

  it('has no reflection unless asked', async () => {
    await using server = await startEcho(echo);
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    expect((await raw(server.port, bearing(callerToken), { path })).code).to.equal(status.UNIMPLEMENTED);
  });
});

describe('gRPC server: unary calls', () => {
  it('sends an AppError whole and hides any other', async () => {
    const thrown = [
      new AppError('not_found', 'no such thing', { errors: { id: ['is unknown'] } }),
      new Error('db'),
    ];
    await using server = await startEcho({ say: unary(() => Promise.reject(thrown.shift())) });
    const channel = connect(server.port);
    const call = () =>
      channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + 5_000 }).then(
        () => expect.fail(),
        (error: AppError) => error,
      );
    expect(await call()).to.deep.include({ code: 'not_found', errors: { id: ['is unknown'] } });
    const hidden = await call();
    expect(hidden.code).to.equal('internal');
    expect(hidden.message).not.to.contain('db');
    channel.close();
  });

  it('writes one line per call, with peer, method, code and correlation id, and nothing of the bodies', async () => {
    await using server = await startEcho(echo);
    const channel = connect(server.port);
    await channel.unary(
      EchoService.say,
      { text: 'canary' },
      { deadline: Date.now() + 5_000, correlationId: 'c-1' },
    );
    expect(server.lines).to.have.lengthOf(1);
    expect(server.lines[0]).to.include({
      peer: 'caller',
      method: EchoService.say.path,
      code: 'ok',
      correlationId: 'c-1',
    });
    expect(JSON.stringify(server.lines)).not.to.contain('canary').and.not.to.contain(callerToken);
    channel.close();
  });

  it('keeps the peer’s token from handlers', async () => {
    let seen: unknown;
    const say = unary((request: { text: string }) => Promise.resolve(request));
    await using server = await startEcho({
      say: (call: Parameters<typeof say>[0], callback: Parameters<typeof say>[1]) => {
        seen = call.metadata.toJSON();
        say(call, callback);
      },
    });
    await raw(server.port, bearing(callerToken));
    expect(seen).to.be.an('object').that.has.not.property('authorization');
  });
});

describe('gRPC server: close', () => {
  it('lets an open call finish and takes no new one', async () => {
    const release = Promise.withResolvers<void>();
    let entered = false;
    const server = await startEcho({
      say: unary(async (request: { text: string }) => {
        entered = true;
        await release.promise;
        return request;
      }),
    });
    const channel = connect(server.port);
    const open = channel.unary(EchoService.say, { text: 'last' }, { deadline: Date.now() + 10_000 });
    await until(() => entered);
    const closed = server.close();
    const refused = await raw(server.port, bearing(callerToken));
    expect(refused.code).to.equal(status.UNAVAILABLE);
    release.resolve();
    expect(await open).to.deep.equal({ text: 'last' });
    await closed;
    channel.close();
  });

  it('cuts off what outlasts its time limit, and tells the handler', async () => {
    let signal: AbortSignal | undefined;
    const server = await startEcho(
      {
        say: unary((_request: { text: string }, context) => {
          signal = context.signal;
          return new Promise(() => undefined);
        }),
      },
      { shutdownTimeoutMs: 50 },
    );
    const channel = connect(server.port);
    const open = channel.unary(EchoService.say, { text: '' }, { deadline: Date.now() + 10_000 }).then(
      () => expect.fail(),
      (error: AppError) => error.code,
    );
    await until(() => signal !== undefined);
    await server.close();
    expect(await open).to.equal('unavailable');
    await until(() => signal!.aborted);
    channel.close();
  });
});
