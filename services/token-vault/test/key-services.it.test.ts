import { mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@glovebox/local/ports';
import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { IntegrityViolation } from '../src/crypto/integrity-violation.ts';
import type { KeyProvider } from '../src/crypto/key-provider.ts';
import { openAwsKms } from '../src/keys/services/aws-kms.ts';
import { openTransit } from '../src/keys/services/transit.ts';
import { runCli } from './harness/cli.ts';
import { Fixture } from './harness/fixture.ts';
import { type KeyService, startKms, startTransit } from './harness/key-services.ts';

const dataKey = Buffer.alloc(32, 0x33);
const place = Buffer.from('tenant a, version 1');
const timeoutMs = 500;
const token = 's.token';
const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The message for the operator; callers only learn that it failed. */
async function causeOf(action: Promise<unknown>): Promise<string> {
  const error = await errorOf(action);
  expect(error).to.be.instanceOf(AppError);
  if (!(error instanceof AppError)) return '';
  expect([error.code, error.message]).to.deep.equal(['unavailable', 'The vault cannot unwrap its keys.']);
  return (error.cause as Error).message;
}

const kinds = [
  {
    name: 'AWS KMS',
    start: () => startKms(),
    open: (url: string, _tokenFile: string): KeyProvider =>
      openAwsKms({ kind: 'aws-kms', keyId: arn, region: 'eu-central-1', endpoint: url, timeoutMs }),
    keyId: `aws-kms:${arn}`,
    refused: 'AWS KMS: AccessDeniedException',
  },
  {
    name: 'a transit engine',
    start: () => startTransit(token),
    open: (url: string, tokenFile: string): KeyProvider =>
      openTransit({
        kind: 'transit',
        address: url,
        mount: 'transit',
        key: 'glovebox',
        tokenFile,
        namespace: 'payments',
        timeoutMs,
      }),
    keyId: 'transit:transit/glovebox',
    refused: 'the transit engine answered 403 refused',
  },
];

for (const { name, start, open, keyId, refused } of kinds) {
  describe(`data keys under a key of ${name}`, () => {
    let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
    let service: KeyService;
    let provider: KeyProvider;
    const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

    before(() => {
      for (const variable of credentials) process.env[variable] = 'AKIDEXAMPLE';
    });
    after(() => {
      for (const variable of credentials) delete process.env[variable];
    });
    beforeEach(async () => {
      folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
      const tokenFile = join(folder.path, 'token');
      await writeFile(tokenFile, `${token}\n`);
      service = await start();
      provider = open(service.url, tokenFile);
    });
    afterEach(async () => {
      await service[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    it('unwrap again, and say whose they are', async () => {
      const wrapped = await provider.wrap(dataKey, place);
      expect([wrapped.keyId, provider.currentKeyId]).to.deep.equal([keyId, keyId]);
      expect(Buffer.from(wrapped.wrapped).includes(dataKey)).to.equal(false);
      expect(await provider.unwrap(keyId, wrapped.wrapped, place)).to.deep.equal(dataKey);
    });

    it('do not unwrap in another place, when a byte is changed, or when they are none', async () => {
      const { wrapped } = await provider.wrap(dataKey, place);
      const other = Buffer.from('tenant b, version 1');
      const changed = Buffer.from(wrapped).fill(0x41, wrapped.length - 8, wrapped.length - 4);
      for (const [bytes, where] of [
        [wrapped, other],
        [changed, place],
      ] as const) {
        expect(await errorOf(provider.unwrap(keyId, bytes, where))).to.be.instanceOf(IntegrityViolation);
      }
    });

    it('are out of reach while it refuses, does not answer in time, or is away, and the operator learns why', async () => {
      const { wrapped } = await provider.wrap(dataKey, place);
      service.refuse(403);
      expect(await causeOf(provider.unwrap(keyId, wrapped, place))).to.equal(refused);
      service.refuse(undefined);
      expect(await provider.unwrap(keyId, wrapped, place)).to.deep.equal(dataKey);
      await service[Symbol.asyncDispose]();
      expect(await causeOf(provider.wrap(dataKey, place))).to.match(/^AWS KMS: |does not answer$/);
      expect(await causeOf(provider.unwrap(keyId, wrapped, place))).to.match(/^AWS KMS: |does not answer$/);
    });
  });
}

describe('the token for a transit engine', () => {
  it('is read for each call, so that it can be renewed', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    await using service = await startTransit('s.renewed');
    const tokenFile = join(folder.path, 'token');
    const provider = openTransit({
      kind: 'transit',
      address: service.url,
      mount: 'engines/transit',
      key: 'k',
      tokenFile,
      namespace: undefined,
      timeoutMs,
    });
    await writeFile(tokenFile, 's.old');
    expect(await causeOf(provider.wrap(dataKey, place))).to.equal(
      'the transit engine answered 403 permission denied',
    );
    await rm(tokenFile);
    expect(await causeOf(provider.wrap(dataKey, place))).to.match(/cannot be read \(ENOENT\)$/);
    await writeFile(tokenFile, 'two words');
    expect(await causeOf(provider.wrap(dataKey, place))).to.match(/does not hold a token$/);
    await writeFile(tokenFile, 's.renewed\n');
    const { wrapped, keyId } = await provider.wrap(dataKey, place);
    expect(keyId).to.equal('transit:engines/transit/k');
    expect(service.requests.at(-1)?.path).to.equal('/v1/engines/transit/encrypt/k');
    expect(await provider.unwrap(keyId, wrapped, place)).to.deep.equal(dataKey);
  });
});

describe('a vault whose keys are with a key service', () => {
  let fixture: Fixture;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let env: Record<string, string>;
  let port: number;

  beforeEach(async () => {
    fixture = await Fixture.start();
    folder = await mkdtempDisposable(join(tmpdir(), 'vault-test-'));
    const tokenFile = join(folder.path, 'token');
    await writeFile(tokenFile, token);
    port = await freePort();
    env = {
      ...(fixture.ground.env as Record<string, string>),
      KEY_PROVIDER: 'transit',
      TRANSIT_ADDRESS: `http://127.0.0.1:${port}`,
      TRANSIT_KEY: 'glovebox',
      TRANSIT_TOKEN_FILE: tokenFile,
    };
  });
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const readiness = async (metricsPort: number): Promise<{ status: number; reasons: object }> => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
    const { reasons } = (await response.json()) as { reasons: object };
    return { status: response.status, reasons };
  };
  const run = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCli(args, env);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };

  it('is not ready until the service answers, says why, and then serves without it what it knows', async () => {
    await using vault = await fixture.anotherVault(env);
    const { metricsPort } = vault.vault.vault;
    expect(await readiness(metricsPort)).to.deep.equal({
      status: 503,
      reasons: {
        keys: `the keys in the database cannot be unwrapped: the transit engine at http://127.0.0.1:${port} does not answer`,
      },
    });
    const service = await startTransit(token, port);
    expect(await readiness(metricsPort)).to.deep.equal({ status: 200, reasons: {} });
    const { id } = await vault.gateway.create(fixture.owner, { type: 'token', data: 'kept' });
    await service[Symbol.asyncDispose]();
    expect(await readiness(metricsPort)).to.deep.equal({ status: 200, reasons: {} });
    expect(await vault.gateway.use(fixture.owner, [String(id)])).to.deep.equal(['kept']);
  });

  it('takes over keys from a file, by keys rewrap, while vaults run', async () => {
    await using service = await startTransit(token, port);
    const id = await fixture.token('sealed under the file');
    const { current: file } = JSON.parse(await readFile(env['KEY_FILE'] ?? '', 'utf8')) as {
      current: string;
    };
    await using vault = await fixture.anotherVault(env);
    expect(await vault.gateway.use(fixture.owner, [id])).to.deep.equal(['sealed under the file']);
    expect(await run('keys', 'rewrap')).to.deep.equal({
      key_encryption_key: 'transit:transit/glovebox',
      rewrapped: 2,
    });
    const { key_encryption_keys: keys } = (await run('keys', 'list')) as { key_encryption_keys: object[] };
    expect(keys).to.deep.equal([
      { id: 'transit:transit/glovebox', current: true, held_by: 'transit', wraps: 2 },
      { id: file, current: false, held_by: 'file', wraps: 0 },
    ]);
    await using without = await fixture.anotherVault({ ...env, KEY_FILE: '' });
    expect(await without.gateway.use(fixture.owner, [id])).to.deep.equal(['sealed under the file']);
    expect(service.requests.length).to.be.greaterThan(0);
  });
});
