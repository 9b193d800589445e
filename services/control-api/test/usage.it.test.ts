import { randomUUID } from 'node:crypto';

import type { AppError } from '@glovebox/platform/errors/app-error';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { expect } from 'chai';

import { createVaultTokens } from '../src/peers/vault-tokens.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { newInstallation } from './harness/stores.ts';
import { type TestVault, startVault } from './harness/vault.ts';

const path = '/tenants/self/reports/usage';

describe('the usage report, with a real vault', () => {
  let vault: TestVault;
  let api: TestApi;

  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  it('of a tenant without tokens counts none', async () => {
    const answer = await api.send(`GET ${path}/`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.equal({
      total_tokens: 0,
      token_report: {
        metrics_by_type: {},
        total_tokens: 0,
        included_monthly_active_tokens: 2_147_483_647,
        monthly_active_tokens: 0,
        monthly_active_token_history: [],
      },
    });
  });

  it('401 without a key, 403 without the permission', async () => {
    expectProblem(await api.send(`GET ${path}`, { key: null }), 401);
    const answer = await api.send(`GET ${path}`, { key: api.tenant.privateKey });
    expectProblem(answer, 403);
    expect(answer.body.detail).to.include('The permission report:read is required. Only a management');
  });

  it('of encryption keys shows the key that the first secret made', async () => {
    const keys = '/tenants/self/reports/encryption-keys';
    const none = { data_keys: [], index_keys: [], most_seals: 2 ** 31 };
    expect((await api.send(`GET ${keys}`)).body).to.deep.equal(none);
    const proxy = { name: 'p', destination_url: 'https://example.com', configuration: { KEY: 'a secret' } };
    expect((await api.send('POST /proxies', { body: proxy })).status).to.equal(201);
    const { body, text } = await api.send(`GET ${keys}`);
    const [key] = (body as unknown as { data_keys: object[] }).data_keys;
    expect(key).to.include({ version: 1, current: true }).and.to.have.property('seals').that.is.above(0);
    expect(text).not.to.contain('wrapped');
    expectProblem(await api.send(`GET ${keys}`, { key: api.tenant.privateKey }), 403);
  });

  it('of traffic has no points of a tenant without any, and takes no other periods', async () => {
    const traffic = '/tenants/self/reports/traffic';
    const totals = { requests: 0, errors: 0, refused: 0, killed: 0, leaks: 0 };
    for (const [period, step] of [
      ['hour', 300],
      ['week', 3600],
    ]) {
      const answer = await api.send(`GET ${traffic}?period=${period}`);
      expect(answer.body, answer.text).to.deep.include({ step_seconds: step, totals, points: [] });
    }
    expectProblem(await api.send(`GET ${traffic}?period=year`), 400);
    expectProblem(await api.send(`GET ${traffic}`, { key: api.tenant.privateKey }), 403);
  });

  it('beside it there are the tokens for people, whose errors are told apart', async () => {
    const { serviceToken: token } = api.config;
    using stack = new DisposableStack();
    const channel = createGrpcChannel({ address: vault.address, token });
    stack.defer(() => channel.close());
    const tokens = createVaultTokens(channel);
    const viewer = { tenantId: api.tenant.id, userId: randomUUID(), clientAddress: '192.0.2.1' };
    const page = { pagination: { page_size: 20 }, data: [] };
    expect(JSON.parse(await tokens.list(viewer, true, '', 'c'))).to.deep.equal(page);
    expect(await tokens.containersBelow(viewer.tenantId, '/', 'c')).to.deep.equal({
      containers: [],
      more: false,
    });
    const codeOf = (wrong: Promise<unknown>) =>
      wrong.then(
        () => 'none',
        ({ code }: AppError) => code,
      );
    expect(await codeOf(tokens.reveal(viewer, randomUUID(), 'the customer asked', 'c'))).to.equal(
      'not_found',
    );
    expect(await codeOf(tokens.list(viewer, true, 'size=x', 'c'))).to.equal('invalid_argument');
    const strange = { ...viewer, userId: 'nobody' };
    expect(await codeOf(tokens.list(strange, true, '', 'c'))).to.equal('invalid_argument');
  });

  it('is a 503 while the vault is away, and everything else of the tenant is answered', async () => {
    await vault.kill();
    const answer = await api.send(`GET ${path}`);
    expectProblem(answer, 503);
    expect(answer.body.detail).to.equal('The vault, which counts the tokens, cannot be reached.');
    expect((await api.send('GET /tenants/self')).status).to.equal(200);
  });
});
