import { readSettings } from '@glovebox/platform/settings/read-settings';
import { describeSettings } from '@glovebox/platform/settings/setting';
import { expect } from 'chai';

import { type InputLimits, inputLimits as limitSettings } from '../src/limits/input-limits.ts';
import { type Sent, type TestApi, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

/** All that can be set, and some that cannot. */
function highestLimits(): InputLimits {
  const highest = describeSettings(limitSettings).map(({ name, range }) => [name, String(range?.max)]);
  const limits = readSettings(limitSettings, Object.fromEntries(highest));
  return {
    ...limits,
    bodyNesting: 500,
    nameLength: 1000,
    settings: 1000,
    keys: 10,
    settingLength: 100_000,
    transforms: 100,
    memberPageSize: 1000,
    logPageSize: 50_000,
    formulaDescriptionLength: 50_000,
    iconLength: 1_000_000,
    declarations: 1000,
    transformValueLength: 1_000_000,
    identifierLength: 1000,
    locationLength: 4000,
    patternLength: 10_000,
    tenantSettings: 1000,
    tenantSettingLength: 10_000,
    numberedLogs: 1_000_000,
    access: { ...limits.access, descriptionLength: 10_000, permissions: 1000, conditions: 100 },
  };
}

const text = (length: number) => 'x'.repeat(length);
const some = <Item>(count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at));
const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;

/** What an operator can set at most; docs/settings.md. */
describe('the highest limits of the management API', () => {
  let api: TestApi;
  const send = (request: string, sent: Sent = {}) => api.send(request, { ...sent, beyondDefaults: true });

  before(async () => {
    const installation = { ...(await newInstallation()), inputLimits: highestLimits(), urlLength: 2000 };
    api = await startTestApi({ sealer: reversingSealer }, installation);
  });

  after(() => api[Symbol.asyncDispose]());

  const create = async (path: string, body: object | string) => {
    const made = await send(`POST ${path}`, { body });
    expect(made.status, made.text.slice(0, 500)).to.equal(201);
    const shown = await send(`GET ${path}/${made.body.id}`);
    expect(shown.status).to.equal(200);
    return shown.body;
  };

  it('let a proxy be as large as all of them together', async () => {
    const body = {
      name: text(1000),
      destination_url: `https://example.com/${text(1980)}`,
      timeout: 240,
      configuration: Object.fromEntries(some(1000, (at) => [`${at}`.padEnd(1000, 'n'), text(1000)])),
      request_transforms: some(99, (at) => ({
        type: 'tokenize',
        options: {
          identifier: `${at}`.padEnd(1000, 'i'),
          token: { data: `{{ proxy${'.a'.repeat(2044)} }}` },
        },
      })),
      response_transforms: [
        { type: 'append_json', options: { value: 'x', location: `$${'.a'.repeat(2000)}`.slice(0, 3999) } },
        { type: 'mask', matcher: 'regex', expression: `(${text(9998)})`, replacement: '*' },
      ],
    };
    expect(await create('/proxies', body)).to.deep.include({ ...body });
  });

  it('let a formula and an application be as large', async () => {
    const formula = {
      type: 'private',
      name: text(1000),
      code: 'module.exports = async () => ({});',
      description: text(50_000),
      icon: `data:image/png;base64,${'a'.repeat(900_000)}`,
      configuration: some(1000, (at) => ({
        name: `${at}`.padEnd(1000, '_'),
        description: text(10_000),
        type: 'string',
      })),
    };
    expect(await create('/reactor-formulas', formula)).to.deep.include({ ...formula });
    const application = {
      name: text(1000),
      type: 'private',
      permissions: ['token:use'],
      rules: some(1000, (at) => ({
        description: text(at === 0 ? 10_000 : 1),
        priority: at + 1,
        container: at === 0 ? `/${text(998)}/` : '/',
        transform: 'mask',
        permissions: ['token:read'],
      })),
    };
    const shown = await create('/applications', application);
    expect(shown).to.deep.include({ rules: application.rules });
    for (let more = 1; more < 10; more += 1) {
      expect((await send(`POST /applications/${shown.id}/keys`)).status).to.equal(201);
    }
    expect((await send(`POST /applications/${shown.id}/keys`)).status).to.equal(422);
  });

  it('let a body be nested as deep, and no deeper', async () => {
    const proxy = (token: string) =>
      `{"name":"p","destination_url":"https://example.com","request_transform":{"type":"tokenize","options":{"identifier":"a","token":{"data":${token}}}}}`;
    // Four objects are around it.
    const { id } = await create('/proxies', proxy(nested(496)));
    expect(JSON.stringify((await send(`GET /proxies/${id}`)).body)).to.include(nested(496));
    const deeper = await send('POST /proxies', { body: proxy(nested(497)) });
    expect(deeper.body.detail).to.equal('The request body may be nested at most 500 levels deep.');
    const hidden = await send('POST /proxies', { body: proxy(nested(496, String.raw`"\u0000"`)) });
    expect(hidden.status).to.equal(400);
    const patched = await send(`PATCH /proxies/${id}`, {
      body: `{"request_transform":{"options":{"token":{"data":${nested(496)}}}}}`,
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect(patched.status, patched.text).to.equal(204);
  });

  it('let pages be as large', async () => {
    for (const path of ['/proxies', '/reactors', '/reactor-formulas', '/applications', '/webhooks']) {
      const page = await send(`GET ${path}?size=1000`);
      expect([page.status, page.body.pagination.page_size], path).to.deep.equal([200, 1000]);
    }
    for (const [path, size] of [
      ['/tenants/self/members?', 1000],
      ['/logs?entity_type=proxy&', 50_000],
    ] as const) {
      expect((await send(`GET ${path}size=${size}`)).status, path).to.equal(200);
    }
  });
});
