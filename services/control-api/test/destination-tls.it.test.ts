import { X509Certificate, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { hashKey } from '@glovebox/access/api-key';
import { publicKeyPin } from '@glovebox/egress/public-key-pin';
import { type IssuedCertificate, createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { proxyRecord } from '@glovebox/published/keys';
import { readProxy } from '@glovebox/published/records';
import { expect } from 'chai';

import { type Answer, type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';

const hour = 3_600_000;
const authority = await createCertificateAuthority('authority');
const issue = (inMs: number): Promise<IssuedCertificate> =>
  authority.issue({
    uris: [],
    notBefore: new Date(Date.now() - 24 * hour),
    notAfter: new Date(Date.now() + inMs),
  });
const [one, other, expired] = [await issue(hour), await issue(hour), await issue(-hour)];
const pin = publicKeyPin(new X509Certificate(one.cert));
const withKey = { client_certificate: one.cert, client_key: one.key };

type Tls = Readonly<Record<string, unknown>>;
type ProxyBody = Body & { readonly destination_tls?: Tls };

describe('destination_tls of a proxy', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;

  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const bodyWith = (destination_tls: unknown, more: object = {}) => ({
    name: 'ledger',
    destination_url: 'https://ledger.example.com/api',
    ...more,
    ...(destination_tls === undefined ? {} : { destination_tls }),
  });
  const create = async (tls: unknown): Promise<ProxyBody> => {
    const answer = await api.send('POST /proxies', { body: bodyWith(tls) });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as ProxyBody;
  };
  const put = (id: string, tls: unknown, more: object = {}) =>
    api.send(`PUT /proxies/${id}`, { body: bodyWith(tls, more) });
  const patch = (id: string, body: object) =>
    api.send(`PATCH /proxies/${id}`, { body, headers: { 'Content-Type': 'application/merge-patch+json' } });
  const read = async (id: string) => (await api.send(`GET /proxies/${id}`)).body as ProxyBody;
  const tagOf = ({ headers }: Answer) => headers.get('etag');
  const published = async (key: string) => readProxy((await eyes.find(proxyRecord(hashKey(key))))!)!;
  const storedRow = async (id: string) => {
    const [row] = await inDatabase<{ all: string; tls: { sealed_client_key: string } }>(
      api.config.databaseUrl.reveal(),
      'SELECT proxies::text AS all, destination_tls AS tls FROM proxies WHERE id = $1',
      [id],
    );
    return row!;
  };

  it('is shown without the key, in every answer', async () => {
    const { id, destination_tls } = await create({ ...withKey, ca: authority.cert, pins: [pin] });
    const shown = {
      client_certificate: one.cert,
      has_client_key: true,
      ca: authority.cert,
      pins: [pin],
      not_after: new X509Certificate(one.cert).validToDate.toISOString(),
    };
    expect(destination_tls).to.deep.equal(shown);
    expect((await read(id)).destination_tls).to.deep.equal(shown);
    const [listed] = (await api.send(`GET /proxies?id=${id}`)).body.data as ProxyBody[];
    expect(listed?.destination_tls).to.deep.equal(shown);
    const parts = await create({ pins: [pin] });
    expect(parts.destination_tls).to.deep.equal({ has_client_key: false, pins: [pin] });
    for (const nothing of [undefined, null, {}, { pins: [], ca: null, client_key: null }]) {
      expect(await create(nothing)).not.to.have.property('destination_tls');
    }
  });

  it('is published, and not to gateways that do not know it: they have no destination', async () => {
    const { id, key } = await create({ ...withKey, pins: [pin] });
    const { record } = (await eyes.find(proxyRecord(hashKey(key))))!;
    expect(record).to.have.nested.property('value.destinationUrl', '');
    const proxy = await published(key);
    expect(proxy.destinationUrl).to.equal('https://ledger.example.com/api');
    const sealed = Buffer.from((await storedRow(id)).tls.sealed_client_key, 'base64');
    const { sealedClientKey, ...rest } = proxy.destinationTls!;
    expect(Buffer.from(sealedClientKey)).to.deep.equal(sealed);
    expect(sealed.toString()).to.contain(`${api.tenant.id}/${id}/destination_tls.client_key|`);
    const url = 'https://ledger.example.com/api';
    expect(rest).to.deep.equal({ destinationUrl: url, clientCertificate: one.cert, ca: '', pins: [pin] });
    await put(id, undefined);
    expect(await published(key)).to.deep.include({ destinationUrl: url, destinationTls: undefined });
  });

  it('keeps the key of the same certificate, and needs one for another', async () => {
    const { id, key } = await create(withKey);
    const { sealedClientKey: sealed } = (await published(key)).destinationTls!;
    // As it was read, and with what else may be said beside it.
    expect(tagOf(await put(id, (await read(id)).destination_tls))).to.equal('"1"');
    expect(tagOf(await put(id, withKey))).to.equal('"1"');
    expect(tagOf(await put(id, { client_certificate: `\n${one.cert}`, pins: [pin] }))).to.equal('"2"');
    expect((await published(key)).destinationTls?.sealedClientKey).to.deep.equal(sealed);
    const refused = await put(id, { client_certificate: other.cert });
    expectProblem(refused, 400);
    expect(refused.body.errors).to.have.all.keys('destination_tls.client_key');
    const rotated = await put(id, { client_certificate: other.cert, client_key: other.key });
    expect([rotated.status, tagOf(rotated)]).to.deep.equal([200, '"3"']);
    expect((await published(key)).destinationTls?.sealedClientKey).not.to.deep.equal(sealed);
    // Without it, it is gone, and its key with it.
    expect((await put(id, undefined)).body).not.to.have.property('destination_tls');
    expectProblem(await put(id, { client_certificate: other.cert }), 400);
  });

  it('is merged by a patch, member by member', async () => {
    const { id } = await create(withKey);
    const after = async (destination_tls: unknown) => {
      const { status, text } = await patch(id, { destination_tls });
      expect(status, text).to.equal(204);
      const {
        client_certificate: certificate,
        not_after: _,
        ...rest
      } = (await read(id)).destination_tls ?? {};
      return { certificate, ...rest };
    };
    expect(await after({ pins: [pin] })).to.deep.equal({
      certificate: one.cert,
      has_client_key: true,
      pins: [pin],
    });
    const rotated = { client_certificate: other.cert, client_key: other.key };
    expect(await after(rotated)).to.deep.equal({
      certificate: other.cert,
      has_client_key: true,
      pins: [pin],
    });
    expect(await after({ client_certificate: null })).to.deep.equal({
      certificate: undefined,
      has_client_key: false,
      pins: [pin],
    });
    expect((await patch(id, { name: 'renamed' })).status).to.equal(204);
    expect((await read(id)).destination_tls).to.deep.equal({ has_client_key: false, pins: [pin] });
    expect(await after(null)).to.deep.equal({ certificate: undefined });
    for (const [sent, path] of [
      [{ client_certificate: one.cert }, 'destination_tls.client_key'],
      [{ client_key: one.key }, 'destination_tls.client_certificate'],
    ] as const) {
      const refused = await patch(id, { destination_tls: sent });
      expectProblem(refused, 400);
      expect(refused.body.errors).to.have.all.keys(path);
    }
  });

  it('is part of versions, which never show the key, and is restored with it', async () => {
    const { id, key } = await create({ ...withKey, pins: [pin] });
    const { sealedClientKey } = (await published(key)).destinationTls!;
    await put(id, { client_certificate: other.cert, client_key: other.key });
    await put(id, undefined);
    const { status, text } = await api.send(`POST /proxies/${id}/versions/1/restore`);
    expect(status, text).to.equal(200);
    const tls = (await published(key)).destinationTls;
    expect(tls).to.deep.include({ clientCertificate: one.cert, sealedClientKey, pins: [pin] });
    const versions = await api.send(`GET /proxies/${id}/versions`);
    const definitions = (versions.body.data as unknown as { definition: ProxyBody }[]).map(
      ({ definition }) => definition.destination_tls?.['client_certificate'],
    );
    expect(definitions).to.deep.equal([one.cert, undefined, other.cert, one.cert]);
    const shown = { has_client_key: true, pins: [pin] };
    const first = (await api.send(`GET /proxies/${id}/versions/1`)).body as unknown as {
      definition: ProxyBody;
    };
    expect(first.definition.destination_tls).to.deep.include(shown);
    // Restored again, it is what there is already.
    expect(tagOf(await api.send(`POST /proxies/${id}/versions/1/restore`))).to.equal('"4"');
    for (const line of lines(one.key)) {
      expect(versions.text + text + JSON.stringify(first)).not.to.contain(line);
    }
  });

  it('has its key in no row of the database, not of idempotency and logs either', async () => {
    const { id } = await create(withKey);
    const headers = { 'SVC-IDEMPOTENCY-KEY': `tls-${id}` };
    await api.send(`PUT /proxies/${id}`, { body: bodyWith(withKey), headers });
    const url = api.config.databaseUrl.reveal();
    const tables = await inDatabase<{ name: string }>(
      url,
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
      [],
    );
    for (const { name } of tables) {
      const rows = await inDatabase<{ all: string }>(url, `SELECT t::text AS all FROM ${name} t`, []);
      const text = rows.map(({ all }) => all).join('\n');
      for (const line of lines(one.key)) expect(text, name).not.to.contain(line);
    }
  });

  const pemFile = (name: string) => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8');
  const weakKey = { client_certificate: pemFile('weak-certificate'), client_key: pemFile('weak-key') };
  const agreeing = generateKeyPairSync('x25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const encrypted = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n';
  const refusals: readonly [what: string, tls: unknown, path: string, reason: RegExp][] = [
    ['no object', 'x', '', /object/],
    ['a certificate without key', { client_certificate: one.cert }, '.client_key', /required/],
    ['a key without certificate', { client_key: one.key }, '.client_certificate', /required/],
    [
      'another key',
      { ...withKey, client_key: other.key },
      '.client_key',
      /private key of client_certificate/,
    ],
    ['an encrypted key', { ...withKey, client_key: encrypted }, '.client_key', /not be encrypted/],
    ['a key that is none', { ...withKey, client_key: 'sesame' }, '.client_key', /private key in PEM/],
    ['a certificate that is none', { ...withKey, client_certificate: 'x' }, '.client_certificate', /in PEM/],
    ['an empty certificate', { ...withKey, client_certificate: '' }, '.client_certificate', /in PEM/],
    [
      'a key among the certificates, which would be shown',
      { ...withKey, client_certificate: one.cert + one.key },
      '.client_certificate',
      /nothing else/,
    ],
    [
      'a broken certificate',
      { ...withKey, client_certificate: one.cert.replace('MII', 'MIx') },
      '.client_certificate',
      /in PEM/,
    ],
    [
      'an expired certificate',
      { client_certificate: expired.cert, client_key: expired.key },
      '.client_certificate',
      /expired on \d{4}-/,
    ],
    ['a long key', { ...withKey, client_key: pemFile('long-key') }, '.client_key', /4096 bits/],
    ['a key that signs nothing', { ...withKey, client_key: agreeing }, '.client_key', /EdDSA/],
    ['a weak key', weakKey, '.client_certificate', /too weak/],
    [
      'too many certificates',
      { ...withKey, client_certificate: one.cert.repeat(11) },
      '.client_certificate',
      /at most 10/,
    ],
    ['a long text', { ...withKey, client_certificate: ' '.repeat(16_385) }, '.client_certificate', /16384/],
    ['a key of too many characters', { ...withKey, client_key: ' '.repeat(16_385) }, '.client_key', /16384/],
    ['an authority that is none', { ca: 'x' }, '.ca', /in PEM/],
    ['an expired authority', { ca: authority.cert + expired.cert }, '.ca', /expired/],
    ['too many authorities', { ca: authority.cert.repeat(21) }, '.ca', /at most 20/],
    ['pins that are no list', { pins: pin }, '.pins', /array/],
    ['too many pins', { pins: Array.from({ length: 11 }, () => pin) }, '.pins', /at most 10/],
    ['a pin that is no text', { pins: [pin, 5] }, '.pins[1]', /string/],
    ['a pin of another digest', { pins: ['sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk='] }, '.pins[0]', /SHA-256/],
    ['a pin in hex', { pins: [`sha256/${'ab'.repeat(32)}`] }, '.pins[0]', /SHA-256/],
    ['a pin with another last character', { pins: [`sha256/${'A'.repeat(42)}B=`] }, '.pins[0]', /SHA-256/],
  ];
  for (const [what, tls, path, reason] of refusals) {
    it(`${what} is a 400 that names it`, async () => {
      const answer = await api.send('POST /proxies', { body: bodyWith(tls), beyondDefaults: true });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(`destination_tls${path}`);
      expect(answer.body.errors[`destination_tls${path}`]?.join()).to.match(reason);
      for (const line of lines(one.key)) expect(answer.text).not.to.contain(line);
    });
  }
});

/** The lines of a key: what must be nowhere. */
function lines(pem: string): string[] {
  return pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'));
}
