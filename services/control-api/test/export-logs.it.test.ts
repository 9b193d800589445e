import { type KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { fingerprintOf, jwkOf, publicKeyOf } from '@glovebox/platform/signed-log/public-key';
import { verifyLog } from '@glovebox/platform/signed-log/verify-log';
import { expect } from 'chai';

import type { LogEntry, LogFilter } from '../src/audit/log-entry.ts';
import { exportLogs } from '../src/operations/logs/export-logs.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import type { Log, Logs } from './harness/logs.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { type TestVault, startVault } from './harness/vault.ts';

interface Line {
  readonly type: string;
  readonly line: number;
  readonly entry?: Log;
  readonly [member: string]: unknown;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** (contract/audit-export.md) */
describe('exports of the log', () => {
  let api: TestApi;
  let vault: TestVault;
  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const exported = async (query = '') => {
    const { status, text, headers } = await api.send(`GET /logs/export${query}`);
    expect(status, text).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    return { text, lines, entries: lines.flatMap(({ entry }) => entry ?? []) };
  };
  const publicKeys = async () => {
    const { status, text } = await api.send('GET /.well-known/glovebox-audit-keys', { key: null });
    expect(status, text).to.equal(200);
    const { keys } = JSON.parse(text) as { keys: readonly { kid: string; x: string }[] };
    return new Map(keys.map(({ kid, x }) => [kid, publicKeyOf(x) as KeyObject]));
  };
  const logs = (count: number, at: string) =>
    inDatabase(
      api.config.databaseUrl.reveal(),
      `INSERT INTO logs (at, tenant_id, operation, entity_type, entity_id)
       SELECT '${at}'::timestamptz + n * interval '1 millisecond', '${api.tenant.id}', 'create', 'proxy', 'e' || n
         FROM generate_series(1, ${count}) n`,
    );

  it('hold what GET /logs shows, of both services, in its order, and verify by the public keys alone', async () => {
    await logs(2500, '2026-01-01T00:00:00Z');
    for (let i = 0; i < 3; i += 1) {
      const answer = await api.send('POST /applications', {
        body: { name: 'n', type: 'private', permissions: ['token:use'] },
      });
      expect(answer.status).to.equal(201);
    }
    const { text, lines, entries } = await exported();
    const shown = (await api.send('GET /logs?size=5000')).body as unknown as Logs;
    expect(entries).to.deep.equal(shown.data);
    const verified = await verifyLog(once(text), 'glovebox-audit-export/1', await publicKeys());
    expect(verified.problem).to.equal(undefined);
    expect(verified).to.include({ entries: entries.length, checkpoints: 3 });
    const [header] = lines;
    const last = lines.at(-1);
    expect(last).to.deep.include({
      type: 'checkpoint',
      export_id: header?.['id'],
      tenant_id: api.tenant.id,
      from: header?.['from'],
      to: header?.['to'],
      entries: entries.length,
      final: true,
    });
    expect(header).to.include({ from: '1970-01-01T00:00:00.000000Z', tenant_id: api.tenant.id });
    const gap = Date.parse(String(header?.['created_at'])) - Date.parse(String(header?.['complete_until']));
    expect(gap).to.be.within(59_000, 61_000);
  });

  it('are of a period, whose end is now at the latest', async () => {
    await logs(20, '2026-02-01T00:00:00Z');
    const { lines, entries } = await exported(
      '?start_date=2026-02-01T00:00:00.005Z&end_date=2026-02-01T00:00:00.010Z',
    );
    expect(entries.map((entry) => entry.entity_id)).to.deep.equal(['e9', 'e8', 'e7', 'e6', 'e5']);
    expect(lines).to.have.length(7);
    expect(lines[0]).to.include({
      to: '2026-02-01T00:00:00.010000Z',
      complete_until: '2026-02-01T00:00:00.010000Z',
    });
    const empty = await exported('?start_date=2026-03-01&end_date=2026-03-02');
    expect(empty.lines.map(({ type }) => type)).to.deep.equal(['header', 'checkpoint']);
    const future = await exported('?start_date=2039-01-01&end_date=2040-01-01');
    expect(Date.parse(String(future.lines[0]?.['to']))).to.be.below(Date.now() + 1);
    const wrong = await api.send('GET /logs/export?start_date=yesterday');
    expect([wrong.status, Object.keys(wrong.body.errors)]).to.deep.equal([400, ['start_date']]);
  });

  it('warn of filters that they do not have, as lists do', async () => {
    const filtered = await api.send('GET /logs/export?operation=use&start_dat=2026-01-01');
    expect(filtered.status).to.equal(200);
    expect(filtered.headers.get('svc-warning')).to.equal(
      '"unknown parameter operation", "unknown parameter start_dat, did you mean start_date?"',
    );
    const strict = { headers: { 'SVC-Strict': 'true' } };
    const refused = await api.send('GET /logs/export?operation=use', strict);
    expect([refused.status, Object.keys(refused.body.errors)]).to.deep.equal([400, ['operation']]);
  });

  it('need log:read, and show nothing of another tenant', async () => {
    const { privateKey } = api.tenant;
    expect((await api.send('GET /logs/export', { key: privateKey })).status).to.equal(403);
    expect((await api.send('GET /logs/export', { key: null })).status).to.equal(401);
    const { managementKey, id } = await api.newTenant();
    const { text } = await api.send('GET /logs/export', { key: managementKey });
    expect(text).to.contain(id);
    expect(text).not.to.contain(api.tenant.id);
    expect((await api.send('HEAD /logs/export')).text).to.equal('');
  });

  it('are signed by the key that the well-known address lists, without an API key, and by GET only', async () => {
    const keys = await publicKeys();
    const [[fingerprint, key]] = [...keys] as [[string, KeyObject]];
    expect(fingerprintOf(jwkOf(key))).to.equal(fingerprint);
    const { lines } = await exported();
    expect(lines.at(-1)).to.include({ key_id: fingerprint });
    const posted = await api.send('POST /.well-known/glovebox-audit-keys', { key: null, body: {} });
    expect(posted.status).to.equal(405);
  });

  it('end with the client, which is no fault of the service', async () => {
    await logs(30_000, '2026-04-01T00:00:00Z');
    const controller = new AbortController();
    const response = await fetch(`${api.base}/logs/export`, {
      headers: { 'SVC-API-KEY': api.tenant.managementKey },
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    const metrics = async () => (await fetch(`http://127.0.0.1:${api.service.metricsPort}/metrics`)).text();
    const line =
      /glovebox_http_requests_total\{method="GET",route="\/logs\/export",status="499",service="control-api"\} 1/;
    for (const end = Date.now() + 5000; !line.test(await metrics()) && Date.now() < end; await wait(20));
    expect(await metrics()).to.match(line);
  });

  describe('are written as they are read', () => {
    const at = Date.parse('2026-01-01') * 1000;
    /** A vault's log without end, that counts its pages. */
    const endless = () => {
      const asked = { pages: 0 };
      const list = async (_filter: LogFilter, after: { id: number }, limit: number) => {
        asked.pages += 1;
        const from = Math.min(after.id, 10_000_000);
        return Array.from({ length: limit }, (_, i): LogEntry => ({
          source: 'vault',
          at,
          id: from - i - 1,
          entityType: 'token',
          entityId: `t${i}`,
          operation: 'read',
          outcome: 'allowed',
          actorId: undefined,
          actorType: 'system',
        }));
      };
      return { asked, audit: { list, count: async () => 0 } };
    };
    const chunksOf = async (audit: ReturnType<typeof endless>['audit'], fails = false) => {
      const postgres = { query: async () => [], queryOnce: async () => [] };
      const checkpoint = async () => {
        if (fails) throw new Error('away');
        return { text: '{"type":"checkpoint"}\n', digest: Buffer.alloc(32) };
      };
      const exportSigner = { checkpoint, publicKeys: async () => [] };
      const call = {
        principal: { tenantId: api.tenant.id },
        query: new URLSearchParams(),
        correlationId: '',
      };
      const { stream } = await exportLogs({ postgres, audit, exportSigner }, call as never);
      if (stream === undefined) throw new Error('expected a stream');
      return stream.chunks;
    };

    it('by no more than a page ahead, so that memory does not grow with the log', async () => {
      const { asked, audit } = endless();
      const chunks = await chunksOf(audit);
      for (let read = 1; read <= 20; read += 1) {
        await chunks.next();
        expect(asked.pages).to.be.at.most(read + 1);
      }
      await chunks.return(undefined);
      const { pages } = asked;
      await wait(20);
      expect(asked.pages).to.equal(pages);
    });

    it('and break off where the vault does not sign', async () => {
      const chunks = await chunksOf(endless().audit, true);
      const failed = await chunks.next().then(
        () => 'ok',
        (error: Error) => error.message,
      );
      expect(failed).to.equal('away');
    });
  });
});
