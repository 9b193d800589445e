import type { ChildProcess } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { lengthPrefixed } from '../src/crypto/length-prefixed.ts';
import { openLocalFileKeyProvider } from '../src/crypto/local-file-key-provider.ts';
import { runCli } from './harness/cli.ts';
import { ExchangeClient } from './harness/exchange-client.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { type AnotherVault, Fixture, card } from './harness/fixture.ts';
import { portOf, spawnVault } from './harness/vault-process.ts';

describe('vaults that an operator seals', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  let child: ChildProcess;
  let inProcess: ExchangeClient;
  let tokenId: string;
  const stack = new AsyncDisposableStack();

  before(async () => {
    fixture = stack.use(await Fixture.start());
    other = stack.use(await fixture.anotherVault());
    child = spawnVault(fixture.ground.env);
    stack.defer(async () => {
      child.kill();
      await once(child, 'exit');
    });
    const address = `127.0.0.1:${await portOf(child)}`;
    child.stdout?.resume();
    const token = new Secret(fixture.ground.tokens['proxy-gateway']);
    const channel = createGrpcChannel({ address, token });
    stack.defer(() => channel.close());
    inProcess = stack.use(new ExchangeClient(channel));
    tokenId = await fixture.token();
  });
  after(() => stack.disposeAsync());

  const run = async (...args: string[]) => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { code, stdout } = await runCli(args, { DATABASE_URL, KEY_FILE });
    return { code, output: (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown> };
  };
  const gateways = () => [fixture.gateway, other.gateway, inProcess];
  const readyz = async () => {
    const response = await fetch(`http://127.0.0.1:${fixture.vault.vault.metricsPort}/readyz`);
    const { notes } = (await response.json()) as { notes?: { sealed?: string } };
    return { isReady: response.ok, sealed: notes?.sealed };
  };
  const metric = async () =>
    (await fetch(`http://127.0.0.1:${fixture.vault.vault.metricsPort}/metrics`)).text();

  it('hold no key, refuse every call that needs one, and serve again without a restart', async () => {
    for (const gateway of gateways()) {
      const found = await gateway.get(fixture.owner, tokenId);
      expect(found).to.deep.include({ id: tokenId });
    }
    const keys = await keysInUse(fixture);
    expect(await heldBy(child, keys), 'the search finds keys that are in memory').to.include.members([
      'seal',
      'tag',
    ]);

    const { code, output } = await run('vault', 'seal');
    expect([code, output['sealed'], output['vaults'], output['vaults_without_keys']]).to.deep.equal([
      0,
      true,
      3,
      3,
    ]);
    expect(await heldBy(child, keys)).to.deep.equal([]);
    for (const gateway of gateways()) {
      const failure = await failureOf(gateway.get(fixture.owner, tokenId));
      expect([failure.code, failure.message]).to.deep.equal([
        'vault_sealed',
        'The vault is sealed by its operator. Send the request again when it is unsealed.',
      ]);
      expect(await codeOf(gateway.create(fixture.owner, { type: 'card', data: card }))).to.equal(
        'vault_sealed',
      );
    }
    const place = { tenantId: fixture.tenantId, recordId: 'proxy', field: 'key' };
    const sealing = fixture.vault
      .as('control-api')
      .unary(
        VaultServiceService.seal,
        { items: [{ place, plaintext: Buffer.from('x') }] },
        { deadline: soon() },
      );
    expect(await codeOf(sealing)).to.equal('vault_sealed');
    const { isReady, sealed } = await readyz();
    expect(isReady, 'its callers need its answer').to.equal(true);
    expect(sealed).to.match(/^the vault is sealed, since 20/);
    expect(await metric()).to.include('glovebox_vault_sealed{service="token-vault"} 1');
    expect((await run('keys', 'rotate')).code, 'a command that works with keys of tenants').to.equal(75);

    await using restarted = await fixture.anotherVault();
    expect(await codeOf(restarted.gateway.get(fixture.owner, tokenId)), 'after a restart').to.equal(
      'vault_sealed',
    );

    expect(await run('vault', 'unseal')).to.deep.equal({
      code: 0,
      output: { sealed: false, already: false },
    });
    for (const gateway of [...gateways(), restarted.gateway]) {
      await until(
        'it serves again',
        async () => (await codeOf(gateway.get(fixture.owner, tokenId))) === 'ok',
      );
    }
    expect((await readyz()).sealed).to.equal(undefined);
    expect(
      await fixture.sql(
        `SELECT operation, outcome, purpose FROM audit WHERE operation LIKE '%_vault' ORDER BY id`,
      ),
    ).to.deep.equal([
      { operation: 'seal_vault', outcome: 'allowed', purpose: 'vault' },
      { operation: 'unseal_vault', outcome: 'allowed', purpose: 'vault' },
    ]);
  }).timeout(90_000);
});

const soon = () => Date.now() + 10_000;

/** The keys that the tenant's data key makes, by purpose. */
async function keysInUse(fixture: Fixture): Promise<ReadonlyMap<string, Buffer>> {
  const provider = await openLocalFileKeyProvider(fixture.ground.env['KEY_FILE'] ?? '');
  const [stored] = await fixture.sql<{ kind: string; version: number; key_id: string; wrapped: Buffer }>(
    `SELECT kind, version, key_id, wrapped FROM tenant_key WHERE tenant_id = $1 AND kind = 'data'`,
    [fixture.tenantId],
  );
  if (stored === undefined) throw new Error('the tenant has no key');
  const { kind, version, key_id: keyId, wrapped } = stored;
  const place = lengthPrefixed('glovebox/data-key', fixture.tenantId, kind, String(version), 'rows/2');
  const dataKey = await provider.unwrap(keyId, wrapped, place);
  const derived = ['seal', 'tag'].map(
    (purpose) =>
      [purpose, Buffer.from(hkdfSync('sha256', dataKey, '', `glovebox/${purpose}/1`, 32))] as const,
  );
  const { keys } = JSON.parse(await readFile(fixture.ground.env['KEY_FILE'] ?? '', 'utf8')) as {
    keys: Record<string, string>;
  };
  const kek = Object.values(keys).map((text) => ['key encryption', Buffer.from(text, 'base64')] as const);
  return new Map([...derived, ['data', dataKey], ...kek]);
}

const chunkBytes = 16 * 1024 * 1024;

/** Which of these keys are anywhere in the writable memory of a process. */
async function heldBy({ pid }: ChildProcess, keys: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const found = new Set<string>();
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  await using memory = await open(`/proc/${pid}/mem`);
  const chunk = Buffer.alloc(chunkBytes);
  for (const line of maps.split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const end = Number.parseInt(to, 16);
    for (let at = Number.parseInt(from, 16); at < end; at += chunkBytes - 32) {
      const length = Math.min(chunkBytes, end - at);
      const { bytesRead } = await memory.read(chunk, 0, length, at).catch(() => ({ bytesRead: 0 }));
      const read = chunk.subarray(0, bytesRead);
      for (const [name, key] of keys) if (read.includes(key)) found.add(name);
      if (length < chunkBytes) break;
    }
  }
  return [...found];
}
