import { expect } from 'chai';

import { type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { limitsOfBodies, text } from '../harness/limits-of-bodies.ts';
import { type System, startSystem } from '../harness/system.ts';

/** Some above their defaults, some below: docs/settings.md. */
const limits = {
  MAX_PROXY_TIMEOUT_SECONDS: '45',
  MAX_PAGE_SIZE: '150',
  MAX_TOKEN_ID_LENGTH: '401',
  MAX_CONTAINER_LENGTH: '410',
  MAX_DATA_NESTING: '65',
  MAX_FILTERS: '17',
  MAX_URL_LENGTH: '60',
  MAX_RULES: '2',
  MAX_WEBHOOKS: '1',
  MAX_EXPRESSION_LENGTH: '200',
};

describe('lengths, counts and depths, whether the operator can set them or not', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await startSystem({ env: limits });
    api = apiOf(system);
    destination = await startDestination();
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  const keyOf = (path: string) =>
    /^\/(?:v2\/)?(?:token|detoken|reactors\/[^/]+\/react|proxies\/[^/]+\/inv)/.test(path)
      ? system.dev.private_api_key
      : system.dev.management_api_key;
  const send = (method: string, path: string, sent: Sent = {}) =>
    api.send(method, path, { key: keyOf(path), beyondDefaults: true, ...sent });

  for (const [what, request, make, most, problem] of limitsOfBodies) {
    it(`hold for ${what}`, async () => {
      const [method = '', path = ''] = request.split(' ');
      const taken = await send(method, path, { body: make(most) });
      expect(taken.status, taken.text).to.be.oneOf([200, 201]);
      const refused = await send(method, path, { body: make(most + 1) });
      expect([refused.status, refused.json.detail]).to.deep.equal([400, problem]);
    });
  }

  it('hold for pages', async () => {
    const { id } = await api.proxy(destination.url);
    const size = (most: number) => [`must be an integer from 0 to ${most}`];
    for (const [path, most, problem = size(most)] of [
      ['/proxies', 150],
      ['/applications', 150],
      ['/tenants/self/members', 50],
      ['/logs', 10_000],
      [`/proxies/${id}/invocations`, 150],
      ['/tokens', 150, ['must be a whole number from 0 to 150']],
    ] as const) {
      expect((await send('GET', `${path}?size=${most}`)).status, path).to.equal(200);
      const refused = await send('GET', `${path}?size=${most + 1}`);
      expect([refused.status, refused.json.errors], path).to.deep.equal([400, { size: problem }]);
    }
  });

  it('hold for how many keys and webhooks there are', async () => {
    const { id } = await api.application({ name: 'a', type: 'private', permissions: ['token:use'] });
    const statuses: number[] = [];
    while (statuses.length < 3) statuses.push((await send('POST', `/applications/${id}/keys`)).status);
    expect(statuses).to.deep.equal([201, 201, 422]);
    const hook = { name: 'w', url: destination.url, events: ['token.created'] };
    expect((await send('POST', '/webhooks', { body: hook })).status).to.equal(201);
    const second = await send('POST', '/webhooks', { body: hook });
    expect([second.status, second.json.detail]).to.deep.equal([422, 'A tenant may have at most 1 webhooks.']);
  });

  it('hold for what goes through a proxy', async () => {
    const { key } = await api.proxy(destination.url);
    const id = await api.token({ type: 'token', data: 'x' });
    const invoke = (body: unknown, headers: Record<string, string> = {}) =>
      send('POST', '/proxy', {
        key: system.dev.private_api_key,
        headers: { 'SVC-PROXY-KEY': key, ...headers },
        body,
      });
    const all = (count: number) => Array.from({ length: count }, () => `{{ ${id} }}`);
    const part = (value: string) => `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n`;
    const parts = (count: number) => `${part('x').repeat(count - 1)}${part(`{{ ${id} }}`)}--b--\r\n`;
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
    for (const [taken, refused, detail, headers] of [
      [all(1000), all(1001), 'The body holds more than 1000 expressions'],
      [
        `{{ ${id}${' '.repeat(200 - 2 - id.length)} }}`,
        `{{ ${id}${' '.repeat(201 - 2 - id.length)} }}`,
        'The expression is longer than 200 characters',
      ],
      [parts(1000), parts(1001), 'The body has more than 1000 parts', multipart],
    ] as const) {
      const type = { 'Content-Type': 'application/json', ...headers };
      const body = (sent: unknown) => (headers === undefined ? JSON.stringify(sent) : sent);
      const through = await invoke(body(taken), type);
      expect(through.status, through.text).to.equal(200);
      const stopped = await invoke(body(refused), type);
      expect(stopped.json.proxy_error?.status, stopped.text).to.equal(400);
      expect(stopped.json.proxy_error.detail).to.include(detail);
    }
    const url = `https://example.com/${text(41)}`;
    const ephemeral = await send('GET', '/proxy', {
      key: system.dev.private_api_key,
      headers: { 'SVC-PROXY-URL': url },
    });
    expect(ephemeral.json.proxy_error.detail).to.equal(
      'The header SVC-PROXY-URL must be 1 to 60 characters long.',
    );
  });

  it('hold for transforms, whose stack holds the deepest body that there can be', async () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const { key } = await api.proxy(destination.url, {
      request_transforms: [{ type: 'code', code: 'module.exports = async ({ args }) => args;' }],
      response_transforms: [
        { type: 'code', code: 'module.exports = async ({ args }) => args;' },
        { type: 'append_json', options: { value: '{{ res.a | size }}', location: '$.size' } },
        { type: 'append_json', options: { value: '{{ res.a | json_stringify }}', location: '$.text' } },
        { type: 'append_text', options: { value: ' {{ res.a }}' } },
      ],
    });
    const answer = (levels: number) => {
      destination.answer = (_, response) =>
        response.setHeader('Content-Type', 'application/json').end(deep(levels));
    };
    const invoke = (levels: number) =>
      send('POST', '/proxy', {
        key: system.dev.private_api_key,
        headers: { 'SVC-PROXY-KEY': key, 'Content-Type': 'application/json' },
        body: deep(levels),
      });
    answer(512);
    const through = await invoke(512);
    const inner = deep(512).slice(5, -1);
    expect([through.status, through.text]).to.deep.equal([
      200,
      `{"a":${inner},"size":1,"text":${JSON.stringify(inner)}} ${inner}`,
    ]);
    expect(destination.received.at(-1)?.body.toString()).to.equal(deep(512));
    expect((await invoke(513)).json.proxy_error.status).to.equal(400);
    answer(513);
    expect((await invoke(2)).json.proxy_error.status).to.equal(502);
  });

  it('hold for reactors', async () => {
    const application = await api.application({
      name: 'reacts',
      type: 'private',
      permissions: ['token:use'],
    });
    const code = `module.exports = async ({ args, bt }) => ({ raw: await bt.reactors.react(args.self, { args })
      .then(({ raw }) => [...raw, 'deeper'], ({ status, data }) => [status, data.detail]) })`;
    const made = await api.manage('POST', '/reactors', { name: 'r', code, application });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json;
    const deep = await send('POST', `/reactors/${id}/react`, { body: { args: { self: id } } });
    expect(deep.json.raw, deep.text).to.deep.equal([
      422,
      'Reactors may invoke each other at most 3 levels deep.',
      'deeper',
      'deeper',
      'deeper',
    ]);
    const callback = await send('POST', `/reactors/${id}/react`, {
      body: { args: {}, callback_url: `https://example.com/${text(41)}` },
    });
    expect(callback.json.errors, callback.text).to.deep.equal({
      callback_url: ['must be 1 to 60 characters long'],
    });
  });
});
