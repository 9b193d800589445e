import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { inDatabase, newInstallation, startedStores } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { type TestVault, startVault } from './harness/vault.ts';

const formula = {
  type: 'private',
  name: 'charge',
  code: 'module.exports = async (req) => ({ raw: req.args })',
  configuration: [{ name: 'API_KEY', type: 'string' }],
};

/** Where a sealed value names the version of its data key. */
const versionIn = (bytes: string) => `encode(substring(${bytes} FROM 2 FOR 4), 'hex')`;
const ofConfiguration = (table: string, column: string) =>
  `SELECT '${table}' AS what, ${versionIn(`decode(value, 'base64')`)} AS version
     FROM ${table}, jsonb_each_text(nullif(${column}, 'null'))`;
const sealedVersions = [
  `SELECT 'key' AS what, ${versionIn('sealed_key')} AS version FROM proxies`,
  `SELECT 'secret', ${versionIn('sealed_secret')} FROM webhooks`,
  `SELECT 'previous secret', ${versionIn('sealed_previous_secret')} FROM webhooks`,
  ofConfiguration('proxies', 'sealed_configuration'),
  ofConfiguration('reactors', 'sealed_configuration'),
  ofConfiguration('proxy_versions', `definition -> 'sealed_configuration'`),
  ofConfiguration('reactor_versions', `definition -> 'sealed_configuration'`),
  `SELECT 'client key', ${versionIn(`decode(destination_tls ->> 'sealed_client_key', 'base64')`)} FROM proxies`,
  `SELECT 'client key of a version',
          ${versionIn(`decode(definition #>> '{destination_tls,sealed_client_key}', 'base64')`)} FROM proxy_versions`,
].join(' UNION ALL ');

describe('secrets of the control plane, after a rotation of data keys', () => {
  let vault: TestVault;
  let api: TestApi;
  let vaultUrl: string;

  before(async () => {
    const config = { ...(await newInstallation()), resealing: { intervalMs: 100 } };
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
    vaultUrl = (await startedStores()).postgres.url(`vault_of_${config.redisPrefix}`);
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const ok = async (request: string, body?: object): Promise<Body> => {
    const answer = await api.send(request, body === undefined ? {} : { body });
    expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    return answer.body;
  };
  const found = () =>
    inDatabase<{ what: string; version: string | null }>(api.config.databaseUrl.reveal(), sealedVersions);

  /** The vault makes a new data key with the next value that it seals. */
  const rotate = async () => {
    await inDatabase(vaultUrl, `UPDATE tenant_key SET seals = NULL WHERE kind = 'data'`);
    // So that it looks which key is the current one, as all vaults do within a minute.
    await inDatabase(vaultUrl, 'INSERT INTO vault_seal DEFAULT VALUES');
    await until(20_000, async () => {
      expect(await inDatabase(vaultUrl, 'SELECT FROM vault_key_drop')).to.have.length(1);
    });
    await inDatabase(vaultUrl, 'UPDATE vault_seal SET unsealed_at = now()');
  };

  it('are sealed anew in the background, in versions too, and are what they were', async () => {
    const configuration = { API_KEY: 'sk_live', REGION: 'eu' };
    const { id: formulaId } = await ok('POST /reactor-formulas', formula);
    const authority = await createCertificateAuthority('test');
    const { cert, key } = await authority.issue({
      uris: [],
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 3_600_000),
    });
    const destination_tls = { client_certificate: cert, client_key: key };
    const proxy = await ok('POST /proxies', {
      destination_tls,
      name: 'p',
      destination_url: 'https://example.org',
      configuration,
    });
    const reactor = await ok('POST /reactors', { name: 'r', formula: { id: formulaId }, configuration });
    const changed = { ...configuration, REGION: 'us' };
    await ok(`PUT /proxies/${proxy.id}`, {
      destination_tls,
      name: 'p',
      destination_url: 'https://example.org',
      configuration: changed,
    });
    await ok(`PUT /reactors/${reactor.id}`, { name: 'r', configuration: changed });
    const webhook = await ok('POST /webhooks', {
      name: 'w',
      url: 'https://example.org',
      events: ['token.created'],
    });
    await ok(`POST /webhooks/${webhook.id}/rotate-secret`);
    const addresses = [
      `GET /proxies/${proxy.id}`,
      `GET /reactors/${reactor.id}`,
      ...[1, 2].flatMap((version) => [
        `GET /proxies/${proxy.id}/versions/${version}`,
        `GET /reactors/${reactor.id}/versions/${version}`,
      ]),
    ];
    const before = await Promise.all(addresses.map((address) => ok(address)));
    const sealed = (await found()).filter(({ version }) => version !== null);
    expect(new Set(sealed.map(({ what }) => what)).size).to.equal(9);
    expect(new Set(sealed.map(({ version }) => version))).to.deep.equal(new Set(['00000001']));

    await rotate();
    await until(20_000, async () => {
      const versions = (await found()).flatMap(({ version }) => version ?? []);
      expect(new Set(versions)).to.deep.equal(new Set(['00000002']));
    });
    expect(await Promise.all(addresses.map((address) => ok(address)))).to.deep.equal(before);
    // Equal values are still equal bytes: restoring the first version changes one of them only.
    const restored = await api.send(`POST /proxies/${proxy.id}/versions/1/restore`);
    const { definition } = JSON.parse(restored.text) as { definition: { configuration: object } };
    expect(definition.configuration).to.deep.equal({
      API_KEY: { changed: false },
      REGION: { changed: true },
    });
    const { configuration: now } = await ok(`GET /proxies/${proxy.id}`);
    expect(now).to.deep.equal(configuration);
  }).timeout(60_000);
});
