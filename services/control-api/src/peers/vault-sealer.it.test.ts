import { createHash } from 'node:crypto';

import { AppError, type ErrorCode } from '@glovebox/platform/errors/app-error';
import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';
import { type GrpcServer, startGrpcServer } from '@glovebox/platform/grpc/server';
import { unary } from '@glovebox/platform/grpc/unary';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { Secret } from '@glovebox/platform/values/secret';
import { type SealRequest, type SealResponse, VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import type { Sealer } from '../secrets/sealer.ts';
import { createVaultSealer } from './vault-sealer.ts';

const place = { tenantId: 't', recordId: 'r', field: 'f' };

/** A gRPC server that answers Seal as each test says; what the vault itself does is tested in proxies.it.test.ts. */
describe('the vault as a sealer', () => {
  let server: GrpcServer;
  let channel: GrpcChannel;
  let sealer: Sealer;
  let answer: (request: SealRequest) => SealResponse;
  let correlationIds: string[];

  before(async () => {
    const seal = unary(async (request: SealRequest, { correlationId }) => {
      correlationIds.push(correlationId);
      return answer(request);
    });
    const unused = unary(() => Promise.reject(new AppError('internal', 'unused')));
    server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      services: [
        {
          definition: VaultServiceService,
          implementation: { seal, open: unused, exchange: () => undefined },
        },
      ],
      peers: { 'control-api': createHash('sha256').update('token').digest('hex') },
      allow: { '/vault.v1.VaultService/Seal': ['control-api'] },
      shutdownTimeoutMs: 1000,
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
    channel = createGrpcChannel({ address: `127.0.0.1:${server.port}`, token: new Secret('token') });
    sealer = createVaultSealer(channel);
  });

  beforeEach(() => {
    correlationIds = [];
    answer = ({ items }) => ({ sealed: items.map((item) => item.plaintext) });
  });

  after(async () => {
    channel.close();
    await server.close();
  });

  const seal = (plaintexts: readonly string[]) =>
    sealer.seal(
      plaintexts.map((plaintext) => ({ place, plaintext })),
      'order-42',
    );
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as AppError,
    );
  const sizesOf = async (plaintexts: readonly string[]) => {
    const sizes: number[] = [];
    answer = ({ items }) => {
      sizes.push(items.length);
      return { sealed: items.map((item) => item.plaintext) };
    };
    expect((await seal(plaintexts)).map(String)).to.deep.equal(plaintexts);
    return sizes;
  };

  it('is asked once for a few, not at all for none, and in the order of the secrets', async () => {
    expect(await sizesOf([])).to.deep.equal([]);
    expect(await sizesOf(['a', 'b', 'c'])).to.deep.equal([3]);
  });

  it('is asked in parts that neither have too many items nor too many bytes', async () => {
    expect(await sizesOf(Array.from({ length: 1200 }, (_, i) => `${i}`))).to.deep.equal([500, 500, 200]);
    expect(await sizesOf(Array.from({ length: 3 }, () => 'x'.repeat(600_000)))).to.deep.equal([1, 1, 1]);
  });

  it('receives the correlation id', async () => {
    await seal(['a']);
    expect(correlationIds).to.deep.equal(['order-42']);
  });

  const translations: readonly [from: ErrorCode, to: ErrorCode][] = [
    ['unavailable', 'unavailable'],
    ['deadline_exceeded', 'unavailable'],
    ['permission_denied', 'internal'],
    ['invalid_argument', 'internal'],
  ];
  for (const [from, to] of translations) {
    it(`its ${from} is ${to} to the caller, in words of our own`, async () => {
      answer = () => {
        throw new AppError(from, 'inner words');
      };
      const error = await failureOf(seal(['x']));
      expect(error?.code).to.equal(to);
      expect(error?.message).not.to.contain('inner words');
    });
  }

  it('an answer that misses items is an error, not a shorter list', async () => {
    answer = () => ({ sealed: [] });
    expect((await failureOf(seal(['x'])))?.code).to.equal('internal');
  });
});
