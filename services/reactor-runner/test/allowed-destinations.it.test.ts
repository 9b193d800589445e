import type { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { deliveryStory, newSecret } from './delivery-story.ts';
import { failureOf } from './expect-failure.ts';
import { until } from './until.ts';

/** Every way by which code reaches the network; each resolves when it got an answer. */
const clients: Readonly<Record<string, string>> = {
  'http.request': `(url) => send(require('http'), url)`,
  'https.request': `(url) => send(require('https'), url.replace('http:', 'https:'))`,
  'http.request with another Host header': `(url) => send(require('http'), url, { headers: { Host: 'allowed.example' } })`,
  'an agent of its own': `(url) => send(require('http'), url, { agent: new (require('http').Agent)({ keepAlive: true }) })`,
  'a connection of an agent': `({}, host, port) => new Promise((resolve, reject) =>
    new (require('https').Agent)().createConnection({ host, port, servername: host }).on('secureConnect', resolve).on('error', reject))`,
  axios: `(url) => require('axios').get(url)`,
  'node-fetch': `(url) => (require('node-fetch').default ?? require('node-fetch'))(url)`,
  stripe: `({}, host, port) => new (require('stripe'))('sk_test_x', { host, port, protocol: 'http', maxNetworkRetries: 0 }).customers.list()`,
  ssh2: `({}, host, port) => new Promise((resolve, reject) =>
    new (require('ssh2').Client)().on('ready', resolve).on('error', reject).connect({ host, port, username: 'a', password: 'b' }))`,
};

const codeOf = (client: string) => `
  const send = (client, url, options = {}) => new Promise((resolve, reject) =>
    client.request(url, options, (response) => response.resume().on('end', resolve)).on('error', reject).end());
  const attempt = ${client};
  module.exports = ({ args: { url, host, port } }) => attempt(url, host, port).then(
    () => ({ raw: 'reached' }),
    ({ message, code, cause, detail }) => ({ raw: { message: (cause ?? detail)?.message ?? message, code: cause?.code ?? code } }));`;

/** contract/destinations.md#allowed-destinations-of-code */
describe('what code of a reactor may reach', () => {
  const story = deliveryStory({ wallMs: 10_000 });
  const here = () => new URL(story.receiver.url);
  const patterns = (...list: string[]) => ({ patterns: list });

  /** What one client gets of a host; JSON. */
  const attempt = async (
    client: string,
    allowed: string[] | undefined,
    host = 'localhost',
  ): Promise<unknown> => {
    const { port } = here();
    const id = await story.publisher.reactor(story.tenant, codeOf(client), {
      allowedDestinations: allowed && patterns(...allowed),
    });
    const args = { url: `http://${host}:${port}/`, host, port: Number(port) };
    const answer = await story.react(id, { args }).catch((cause: AppError) => {
      throw new Error(`${client}: ${JSON.stringify(cause.errors)}`, { cause });
    });
    return (answer as { raw: unknown }).raw;
  };
  const reports = () => story.vault.violations.filter(({ tenantId }) => tenantId === story.tenant);

  // The first runner of a checkout prepares the packages that some of the clients are.
  beforeEach(async function () {
    this.timeout(150_000);
    const isPrepared = () =>
      // It throws, and does not reject, so that the reactor fails.
      attempt("() => Promise.resolve(require('axios'))", undefined).then(
        () => true,
        () => false,
      );
    await until('packages are prepared', isPrepared, 120_000);
  });

  it('is no host that is not listed, by any client; the error names the host and the reason', async () => {
    for (const [name, client] of Object.entries(clients)) {
      const refused = (await attempt(client, ['allowed.example'])) as { message: string; code: string };
      expect(refused.message, name).to.match(
        /Requests to \w+:\/\/localhost:\d+ are not allowed: the host is not among the allowed_destinations of this code\./,
      );
    }
    expect(story.receiver.received).to.have.length(0);
    await until('each is reported', () => reports().length >= Object.keys(clients).length);
  });

  it('is a host that is listed, with its port', async () => {
    const { host, port } = here();
    for (const name of ['http.request', 'an agent of its own', 'axios']) {
      expect(await attempt(clients[name]!, [host]), name).to.equal('reached');
    }
    const other = await attempt(clients['http.request']!, [`localhost:${Number(port) + 1}`]);
    expect(other).to.have.property('code', 'EACCES');
    expect(story.receiver.received).to.have.length(3);
  });

  it('is no address, although a listed name leads to it', async () => {
    expect(await attempt(clients['http.request']!, [here().host], '127.0.0.1')).to.have.property(
      'code',
      'EACCES',
    );
    expect(story.receiver.received).to.have.length(0);
  });

  it('is nothing with an empty list, where a redirect leads, or by dns', async () => {
    expect(await attempt(clients['http.request']!, [])).to.have.property('code', 'EACCES');
    const { host, port } = here();
    story.receiver.answer = (response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end();
    expect(await attempt(clients['axios']!, [host])).to.have.property('code', 'EACCES');
    expect(story.receiver.received).to.have.length(1);
    const lookup = `async (url) => require('dns').promises.lookup('localhost')`;
    expect(await attempt(lookup, [host]))
      .to.have.nested.property('message')
      .that.matches(/dns/);
  });

  it('is a clear error of the invocation where the code does not handle it', async () => {
    const code = `module.exports = () => new Promise((resolve, reject) => require('http').get('${here().href}', resolve).on('error', reject))`;
    const id = await story.publisher.reactor(story.tenant, code, { allowedDestinations: patterns() });
    const error = await failureOf(story.react(id));
    expect(JSON.stringify(error.errors)).to.contain(
      'the host is not among the allowed_destinations of this code',
    );
  });

  it('follows the egress policy of the tenant at once: off, report, enforce', async () => {
    const { host } = here();
    const client = clients['http.request']!;
    const under = async (mode: string, ...destinations: string[]) => {
      const policy = { mode, destinations: patterns(...destinations), ephemeral: true };
      await story.publisher.tenant(story.tenant, policy);
      return attempt(client, undefined);
    };
    expect(await under('off')).to.equal('reached');
    expect(await under('report', host)).to.equal('reached');
    expect(reports()).to.deep.equal([]);
    expect(await under('report', 'api.example.com')).to.equal('reached');
    await until('it is reported', () => reports().length === 1);
    await until('it is refused', async () => (await under('enforce', 'api.example.com')) !== 'reached');
    expect(await under('enforce', 'api.example.com')).to.deep.include({ code: 'EACCES' });
    await until('they are reported', () => reports().length >= 3);
    const [first, second] = reports();
    expect(first).to.deep.include({
      subjectType: 'reactor',
      destination: host,
      reason: 'egress_policy',
      denied: false,
      count: 1,
    });
    expect(second).to.deep.include({ destination: host, denied: true });
    await until('it is allowed again', async () => (await under('enforce', host)) === 'reached');
  });

  it('of a transform has the list of its proxy', async () => {
    const requestTransformCode = codeOf(clients['http.request']!).replace(
      'args: { url, host, port }',
      'args: { body: { url, host, port } }',
    );
    const { proxyKeyHash } = await story.publisher.proxy(story.tenant, {
      requestTransformCode,
      allowedDestinations: patterns(),
    });
    const args = Buffer.from(JSON.stringify({ body: { url: here().href } }));
    const result = await story.runner.transform({
      proxyKeyHash,
      proxyVersion: 1,
      side: 1,
      args,
      anonymous: false,
    });
    expect(JSON.stringify(result)).to.contain('allowed_destinations');
    await until('it is reported', () => reports().some(({ subjectType }) => subjectType === 'proxy'));
  });

  describe('by callbacks and webhooks', () => {
    const elsewhere = patterns('api.example.com');
    const code = 'module.exports = ({ args }) => ({ raw: args })';

    it('is refused with the invocation, before anything is detokenized, where the policy is enforced', async () => {
      await story.publisher.tenant(story.tenant, {
        mode: 'enforce',
        destinations: elsewhere,
        ephemeral: true,
      });
      const id = await story.publisher.reactor(story.tenant, code);
      const error = await failureOf(
        story.react(id, { args: '{{ 1 }}', callback_url: `${story.receiver.url}/result` }),
      );
      expect(error.code).to.equal('destination_not_allowed');
      await story.publisher.tenant(story.tenant, {
        mode: 'report',
        destinations: elsewhere,
        ephemeral: true,
      });
      await until('it is accepted', () =>
        story.react(id, { args: {}, callback_url: `${story.receiver.url}/result` }).then(
          () => true,
          () => false,
        ),
      );
      await story.told(1);
    });

    it('is a failed delivery with its reason, and no request', async () => {
      await story.publisher.tenant(story.tenant, {
        mode: 'enforce',
        destinations: elsewhere,
        ephemeral: true,
      });
      const endpoint = story.endpoint(newSecret());
      await story.publisher.webhooks(story.tenant, [endpoint]);
      await story.react(await story.publisher.reactor(story.tenant, code), { args: {} });
      await story.logged(new RegExp(`${endpoint.id}.*destination_not_allowed`));
      expect(story.receiver.received).to.have.length(0);
      await until('it is reported', () => reports().some(({ subjectId }) => subjectId === endpoint.id));
    });
  });
});
