import { createPublicKey } from 'node:crypto';

import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const all = ['keys:create', 'keys:read', 'keys:delete'];

describe('keys to which clients encrypt', () => {
  let fixture: Fixture;
  let manager: TestApplication;
  before(async () => {
    fixture = await Fixture.start({ PURGE_INTERVAL_MS: '50' }, (config) => ({
      ...config,
      limits: { ...config.limits, clientKeys: 3 },
    }));
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    manager = await managerOf(await fixture.publisher.tenant());
  });

  const managerOf = (tenantId: string, permissions = all) =>
    fixture.publisher.application({ tenantId, type: 'management', permissions });
  const events = async (entityId: string) => {
    const request = { tenantId: manager.tenantId, entityType: 'key', entityId, limit: 100, count: false };
    const { events: told } = await fixture.vault
      .as('control-api')
      .unary(
        VaultServiceService.listAudit,
        { ...request, fromMicros: 0, toMicros: 0, after: undefined, outcome: '' },
        { deadline: Date.now() + 10_000, safe: true, correlationId: 'test' },
      );
    return told.map(({ actorId, entityType, operation }) => ({ actorId, entityType, operation }));
  };

  it('are shown as a JWK or as PEM, and never their private half', async () => {
    const jwk = await fixture.gateway.createKey(manager, { expires_at: '2090-01-02T03:04:05-07:00' });
    expect(jwk).to.have.all.keys(
      ...[
        'id',
        'tenant_id',
        'encoding',
        'algorithm',
        'public_key_jwk',
        'expires_at',
        'created_by',
        'created_at',
      ],
    );
    expect(jwk).to.include({
      encoding: 'JWK',
      algorithm: 'ECDH-ES',
      expires_at: '2090-01-02T03:04:05-07:00',
    });
    expect(jwk['public_key_jwk']).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'use', 'alg');
    expect(jwk['public_key_jwk']).to.include({ kid: jwk['id'], crv: 'P-256' });
    const pem = await fixture.gateway.createKey(manager, { encoding: 'PEM' });
    expect(pem).to.not.have.any.keys('public_key_jwk', 'expires_at');
    expect(createPublicKey(String(pem['public_key_pem'])).asymmetricKeyDetails).to.include({
      namedCurve: 'prime256v1',
    });
    expect(await fixture.gateway.getKey(manager, String(jwk['id']))).to.deep.equal(jwk);
    expect(await fixture.gateway.getKey(manager, String(pem['id']).toUpperCase())).to.deep.equal(pem);
    const page = await fixture.gateway.listKeys(manager, 'size=1&page=2');
    expect(page.pagination).to.deep.equal({ total_items: 2, page_number: 2, page_size: 1, total_pages: 2 });
    expect(page.data).to.deep.equal([jwk]);
    expect((await fixture.gateway.listKeys(manager, 'page=9')).data).to.deep.equal([]);
  });

  it('rest sealed', async () => {
    const { id } = await fixture.gateway.createKey(manager);
    const [row] = await fixture.sql<{ sealed_private_key: Buffer; rest: string }>(
      `SELECT sealed_private_key, row_to_json(client_key)::text AS rest FROM client_key WHERE id = $1`,
      [id],
    );
    // An object identifier is in every PKCS #8 form of such a key.
    const named = Buffer.from('06082a8648ce3d030107', 'hex');
    expect(row?.sealed_private_key.includes(named)).to.equal(false);
    expect(row?.rest).to.not.match(/"d" ?:/);
  });

  it('are each for callers who hold its permission, and a refusal is recorded', async () => {
    const { id } = await fixture.gateway.createKey(manager);
    const work: Record<string, (by: TestApplication) => Promise<unknown>> = {
      'keys:create': (by) => fixture.gateway.createKey(by),
      'keys:read': (by) => fixture.gateway.getKey(by, String(id)),
      'keys:delete': (by) => fixture.gateway.deleteKey(by, String(id)),
    };
    for (const [permission, attempt] of Object.entries(work)) {
      const without = all.filter((one) => one !== permission);
      const caller = await managerOf(manager.tenantId, without);
      expect(await codeOf(attempt(caller)), permission).to.equal('permission_denied');
      expect(await fixture.audit(caller)).to.have.length(1);
    }
    expect(await codeOf(fixture.gateway.listKeys(fixture.owner))).to.equal('permission_denied');
  });

  it('of another tenant are like those that there are not', async () => {
    const { id } = await fixture.gateway.createKey(manager);
    const stranger = await managerOf(await fixture.publisher.tenant());
    for (const name of [String(id), '00000000-0000-4000-8000-000000000000', 'x', '']) {
      expect(await codeOf(fixture.gateway.getKey(stranger, name))).to.equal('not_found');
      expect(await codeOf(fixture.gateway.deleteKey(stranger, name))).to.equal('not_found');
    }
    expect((await fixture.gateway.listKeys(stranger)).data).to.deep.equal([]);
    expect(await fixture.gateway.getKey(manager, String(id))).to.include({ id });
  });

  it('are no more than a tenant may have, however many are asked for at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(fixture.gateway.createKey(manager))),
    );
    expect(outcomes.toSorted()).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'ok'),
      ...Array.from({ length: 9 }, () => 'unprocessable'),
    ]);
  });

  it('that are not described well are refused with all that is wrong', async () => {
    const refusal = await failureOf(
      fixture.gateway.createKey(manager, { encoding: 'DER', expires_at: '2001-01-01' }),
    );
    expect(refusal.code).to.equal('invalid_argument');
    expect(refusal.errors).to.have.all.keys('encoding', 'expires_at');
    for (const body of [[], 'x', null, 1])
      expect(await codeOf(fixture.gateway.createKey(manager, body))).to.equal('invalid_argument');
    const query = await failureOf(fixture.gateway.listKeys(manager, 'page=x&size=-1'));
    expect(query.errors).to.have.all.keys('page', 'size');
  });

  it('are made once for an idempotency key, and not given again when they are gone', async () => {
    const extras = { idempotencyKey: 'again' };
    const first = await fixture.gateway.createKey(manager, {}, extras);
    expect(await fixture.gateway.createKey(manager, {}, extras)).to.deep.equal(first);
    await fixture.gateway.deleteKey(manager, String(first['id']));
    expect(await codeOf(fixture.gateway.createKey(manager, {}, extras))).to.equal('conflict');
  });

  it('are in the log: made, deleted, expired', async () => {
    const deleted = String((await fixture.gateway.createKey(manager))['id']);
    await fixture.gateway.deleteKey(manager, deleted);
    expect(await codeOf(fixture.gateway.getKey(manager, deleted))).to.equal('not_found');
    const own = { actorId: manager.id, entityType: 'key' };
    expect(await events(deleted)).to.deep.equal([
      { ...own, operation: 'delete' },
      { ...own, operation: 'create' },
    ]);
    const expires_at = new Date(Date.now() + 2000).toISOString();
    const expiring = String((await fixture.gateway.createKey(manager, { expires_at }))['id']);
    while ((await codeOf(fixture.gateway.getKey(manager, expiring))) === 'ok');
    expect((await fixture.gateway.listKeys(manager)).data).to.deep.equal([]);
    while ((await fixture.sql('SELECT 1 FROM client_key WHERE id = $1', [expiring])).length > 0);
    expect((await events(expiring))[0]).to.deep.equal({
      actorId: '',
      entityType: 'key',
      operation: 'expire',
    });
  });
});
