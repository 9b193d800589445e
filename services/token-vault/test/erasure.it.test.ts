import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type EraseTenantRequest,
  type EraseTenantResponse,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { verifyErasureCommand } from '../src/cli/verify-erasure.ts';
import type { VaultConfig } from '../src/config.ts';
import { rowErasers } from '../src/store/erase-rows.ts';
import { runCli } from './harness/cli.ts';
import { codeOf } from './harness/failure.ts';
import { type AnotherVault, Fixture, card } from './harness/fixture.ts';

const fast = (config: VaultConfig) => ({ ...config, erasure: { intervalMs: 50, settleMs: 500 } });

interface Certificate {
  readonly tenant_id: string;
  readonly requested_by: object;
  readonly destroyed_keys: { kind: string; version: number; wrapped_by: string[] }[];
  readonly erased_rows: { control: object; vault: Record<string, number> };
  readonly backups: { readable_until_destroyed: string[] };
}

describe('an erased tenant', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  let control: GrpcChannel;
  before(async () => {
    fixture = await Fixture.start({ AUDIT_SEAL_INTERVAL_MS: '50' }, fast);
    other = await fixture.anotherVault({}, fast);
    control = fixture.vault.as('control-api');
  });
  after(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const erase = (tenantId: string, more: Partial<EraseTenantRequest> = {}): Promise<EraseTenantResponse> => {
    const request = {
      tenantId,
      requestedBy: '',
      requestedMicros: Date.now() * 1000,
      applicationIds: [],
      ...more,
    };
    return control.unary(
      VaultServiceService.eraseTenant,
      { elsewhere: undefined, ...request },
      { deadline: Date.now() + 5000, safe: true },
    );
  };
  const elsewhere = { erased: { proxies: 2 } };
  const erased = async (tenantId: string): Promise<Certificate> => {
    for (;;) {
      const { certificate } = await erase(tenantId, { elsewhere });
      if (certificate !== '') return JSON.parse(certificate) as Certificate;
    }
  };
  const keysOf = (tenantId: string) =>
    fixture.sql('SELECT kind FROM tenant_key WHERE tenant_id = $1', [tenantId]);

  it('has no key from the answer on, and no vault opens anything of it within seconds; others are served', async () => {
    const owner = await fixture.foreigner();
    const id = String((await fixture.gateway.create(owner, { type: 'card', data: card }))['id']);
    const spared = await fixture.token();
    const vaults = [fixture.gateway, other.gateway];
    for (const gateway of vaults) expect(await gateway.use(owner, [id])).to.deep.equal([card]);
    // So that both hold every key that a write needs.
    for (const gateway of vaults) await gateway.create(owner, { type: 'token', data: 'early' });
    const answer = await erase(owner.tenantId);
    expect(answer).to.include({ rowsErased: false, certificate: '' });
    expect(await keysOf(owner.tenantId)).to.deep.equal([]);
    expect(await codeOf(fixture.gateway.use(owner, [id]))).not.to.equal('ok');
    const since = Date.now();
    while ((await codeOf(other.gateway.create(owner, { type: 'token', data: 'late' }))) === 'ok');
    expect(Date.now() - since).to.be.lessThan(5000);
    for (const gateway of vaults) {
      expect(await codeOf(gateway.use(owner, [id]))).not.to.equal('ok');
      expect(await gateway.use(fixture.owner, [spared])).to.deep.equal([card]);
    }
    expect(await keysOf(owner.tenantId)).to.deep.equal([]);
    expect(await fixture.sql("SELECT 1 FROM audit WHERE reason = 'integrity_violation'")).to.deep.equal([]);
  });

  it('leaves no row in any table but the audit log and its certificate, which counts them', async () => {
    const owner = await fixture.foreigner();
    const { tenantId } = owner;
    const parent = String((await fixture.gateway.create(owner, { type: 'token', data: 'p' }))['id']);
    const extras = { idempotencyKey: 'kept answer' };
    await fixture.gateway.create(owner, { type: 'token', data: 'c', parent_id: parent }, extras);
    await fixture.sql(
      `INSERT INTO token SELECT tenant_id, id || n, revision + n, type, container, sealed_data, mask, metadata, fingerprint,
              fingerprint_expression, search_indexes, search_hashes, encryption, expires_at, expires_at_text, created_by,
              created_at, modified_by, modified_at, cvc_expires_at, tag
         FROM token, generate_series(1, 1200) AS n WHERE tenant_id = $1 AND id = $2`,
      [tenantId, parent],
    );
    await fixture.sql(
      `WITH a AS (INSERT INTO token_activity SELECT '2026-01-01', $1, 'x' || n FROM generate_series(1, 600) AS n),
            o AS (INSERT INTO operation_count VALUES ($1, '2026-01-01', 'token', 'read', '', 1)),
            e AS (INSERT INTO event_outbox (event)
                  VALUES (json_build_object('tenant_id', $1, 'type', 'none')::text))
       INSERT INTO client_key (tenant_id, id, encoding, public_key, sealed_private_key, created_by, created_at)
       VALUES ($1, $2, 'JWK', '{}', '', $1, now())`,
      [tenantId, randomUUID()],
    );
    const audited = () =>
      fixture.sql<{ count: string }>('SELECT count(*) FROM audit WHERE tenant_id = $1', [tenantId]);
    const before = await audited();
    const { erased_rows: counts } = await erased(tenantId);
    expect(counts.control).to.deep.equal({ proxies: 2 });
    expect(counts.vault).to.include({ tokens: 1202, token_activity: 600, client_keys: 1 });
    expect(await audited()).to.deep.equal(before);

    const tables = await fixture.sql<{ name: string }>(
      `SELECT table_name AS name
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE'
          AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass) ORDER BY 1`,
    );
    const kept = new Set(['audit', 'tenant_erasure']);
    const gone = tables.map(({ name }) => name).filter((name) => !kept.has(name));
    expect(gone).to.include.members(['token', 'tenant_key', 'idempotency_record']);
    for (const name of gone) {
      const rows = await fixture.sql(`SELECT 1 FROM ${name} WHERE tenant_id = $1`, [tenantId]);
      expect(rows, name).to.deep.equal([]);
    }
    const erasing = new Set([
      ...rowErasers.map(({ table }) => table),
      'tenant_key',
      'key_rotation',
      'index_rotation',
    ]);
    expect(gone.filter((name) => !erasing.has(name))).to.deep.equal([]);
  });

  it('has one certificate, however often and through whichever vault it is asked for, which verifies offline', async () => {
    const owner = await fixture.foreigner();
    const { tenantId } = owner;
    await fixture.gateway.create(owner, { type: 'token', data: 1 });
    await fixture.sql("UPDATE tenant_key SET key_id = 'older' WHERE tenant_id = $1", [tenantId]);
    const [{ key_id: now }] = (await fixture.sql(
      'UPDATE tenant_key SET key_id = $2 WHERE tenant_id = $1 RETURNING key_id',
      [tenantId, 'newer'],
    )) as [{ key_id: string }];
    expect(now).to.equal('newer');
    const requestedBy = randomUUID();
    await Promise.all([erase(tenantId, { requestedBy }), erase(tenantId, { requestedBy })]);
    const certificate = await erased(tenantId);
    expect(await erased(tenantId)).to.deep.equal(certificate);
    expect(certificate).to.deep.include({
      tenant_id: tenantId,
      requested_by: { type: 'application', id: requestedBy },
    });
    expect(certificate.destroyed_keys.map(({ kind, version }) => [kind, version])).to.deep.equal([
      ['data', 1],
      ['index', 1],
    ]);
    // Backups hold the keys as they were wrapped at their time.
    expect(certificate.backups.readable_until_destroyed).to.include.members(['older', 'newer']);

    const folder = await mkdtemp(join(tmpdir(), 'erasure-'));
    try {
      const file = join(folder, 'certificate.json');
      const verify = async (content: object) => {
        await writeFile(file, JSON.stringify(content, undefined, 2));
        return verifyErasureCommand.run([file]);
      };
      expect(await verify({ certificate })).to.deep.include({ exitCode: 0 });
      expect((await verify(certificate)).output).to.include({ intact: true, tenant_id: tenantId });
      const forged = { ...certificate, tenant_id: randomUUID() };
      expect(await verify(forged)).to.include({ exitCode: 65 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('gets no new key, not even from a vault that was about to make one', async () => {
    const tenantId = await fixture.publisher.tenant();
    await erase(tenantId);
    await fixture.sql(
      `INSERT INTO tenant_key (tenant_id, kind, version, key_id, wrapped) VALUES ($1, 'data', 1, 'k', 'w')`,
      [tenantId],
    );
    expect(await keysOf(tenantId)).to.deep.equal([]);
    const owner = await fixture.publisher.application({ tenantId, permissions: ['token:create'] });
    expect(await codeOf(fixture.gateway.create(owner, { type: 'token', data: 1 }))).to.equal('unavailable');
  });

  it('is erased to the end by another vault when one ends in between', async () => {
    const slow = (config: VaultConfig) => ({ ...config, erasure: { intervalMs: 50, settleMs: 3_600_000 } });
    await using own = await Fixture.start({}, slow);
    const token = await own.token();
    const channel = own.vault.as('control-api');
    const request = {
      tenantId: own.tenantId,
      requestedBy: '',
      requestedMicros: 0,
      applicationIds: [],
      elsewhere,
    };
    const ask = () =>
      channel.unary(VaultServiceService.eraseTenant, request, { deadline: Date.now() + 5000, safe: true });
    await ask();
    while ((await own.sql('SELECT 1 FROM token WHERE id = $1', [token])).length > 0);
    await using next = await own.anotherVault({}, fast);
    expect(next.vault.logged).not.to.equal(undefined);
    let certificate = '';
    while (certificate === '') ({ certificate } = await ask());
    expect((JSON.parse(certificate) as Certificate).erased_rows.vault['tokens']).to.equal(1);
  });

  it('does not break the audit log: it verifies, and `tenant erasures` lists who was erased', async () => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const env = { DATABASE_URL, KEY_FILE };
    const sealed = () => fixture.sql('SELECT 1 FROM audit_seal');
    while ((await sealed()).length === 0);
    const [audit, list] = await Promise.all([
      runCli(['audit', 'verify'], env),
      runCli(['tenant', 'erasures'], env),
    ]);
    expect([audit.code, JSON.parse(audit.stdout)]).to.deep.include(0);
    expect(JSON.parse(audit.stdout)).to.include({ intact: true, tokens_compared: 1 });
    const { erasures } = JSON.parse(list.stdout) as { erasures: { state: string; certificate: unknown }[] };
    expect(erasures.map(({ state }) => state)).to.include('erased');
  });

  it('cannot be invented to hide what was removed: `audit verify` names the tenant', async () => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const verify = async () => {
      const { code, stdout } = await runCli(['audit', 'verify'], { DATABASE_URL, KEY_FILE });
      return { code, ...(JSON.parse(stdout) as { first_mismatch?: object }) };
    };
    const invented = fixture.tenantId;
    await fixture.sql(
      `INSERT INTO tenant_erasure SELECT (json_populate_record(e, json_build_object('tenant_id', $1::text))).*
         FROM tenant_erasure AS e WHERE certificate IS NOT NULL LIMIT 1`,
      [invented],
    );
    const found = await verify();
    expect(found).to.include({ code: 65, intact: false });
    expect(found.first_mismatch).to.deep.equal({
      tenant_id: invented,
      problem: 'erasure: the tenant is recorded as erased, and its keys are there',
    });
    const stranger = randomUUID();
    await fixture.sql('UPDATE tenant_erasure SET tenant_id = $1 WHERE tenant_id = $2', [stranger, invented]);
    expect((await verify()).first_mismatch).to.deep.equal({
      tenant_id: stranger,
      problem: 'erasure: its certificate is of another tenant',
    });
    await fixture.sql('DELETE FROM tenant_erasure WHERE tenant_id = $1', [stranger]);
    expect((await verify()).code).to.equal(0);
  });

  it('is asked for by control-api alone, with ids', async () => {
    const gateway = fixture.vault.as('proxy-gateway');
    const request = {
      tenantId: fixture.tenantId,
      requestedBy: '',
      requestedMicros: 0,
      applicationIds: [],
      elsewhere,
    };
    const options = { deadline: Date.now() + 5000, safe: true };
    expect(await codeOf(gateway.unary(VaultServiceService.eraseTenant, request, options))).not.to.equal('ok');
    expect(await codeOf(erase('x'))).to.equal('invalid_argument');
    expect(await codeOf(erase(randomUUID(), { requestedBy: 'me' }))).to.equal('invalid_argument');
    expect(await keysOf(fixture.tenantId)).not.to.deep.equal([]);
  });
});
