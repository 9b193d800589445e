import { Glovebox, GloveboxApiError, type GloveboxOptions } from '@glovebox/sdk/glovebox';
import { expect } from 'chai';

import { type TestServer, startServer } from './server.ts';

async function failureOf(promise: Promise<unknown>): Promise<GloveboxApiError> {
  try {
    await promise;
  } catch (error) {
    expect(error).to.be.instanceOf(GloveboxApiError);
    return error as GloveboxApiError;
  }
  throw new Error('it succeeded');
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome.status === 'rejected' ? (outcome.reason as Error).message : 'it succeeded';
}

describe('a call that fails', () => {
  let server: TestServer;
  let client: Glovebox;
  const connected = (options: GloveboxOptions = {}) =>
    new Glovebox().init('key_1', { apiBaseUrl: server.url, maxRetries: 0, ...options });
  beforeEach(async () => {
    server = await startServer();
    client = await connected();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  const problem = { title: 'Bad', errors: { some_field: ['x'], Name: ['y'], 'rules[0].container': ['z'] } };

  it('rejects with name, message, status and a problem in camelCase', async () => {
    server.answer = () => ({ status: 400, body: problem });
    const error = await failureOf(client.tokens.retrieve('a'));
    expect(error.name).to.equal('GloveboxApiError');
    expect(error.message).to.equal('Request failed with status code 400');
    expect(error.status).to.equal(400);
    expect(error.data).to.deep.equal({
      title: 'Bad',
      errors: { someField: ['x'], name: ['y'], 'rules[0]Container': ['z'] },
    });
  });

  it('gives the problem of proxy, react and tokenize as it is', async () => {
    server.answer = () => ({ status: 422, body: problem });
    for (const call of [client.proxy.get(), client.reactors.react('r'), client.tokenize(1)]) {
      expect((await failureOf(call)).data).to.deep.equal(problem);
    }
  });

  const found = { code: 'strict', trace_id: 't', doc_url: 'https://a.example/docs/errors#strict' };
  const traced = { 'SVC-TRACE-ID': 't' };

  it('has the code, the trace id and the page of what the service refuses, also through a proxy', async () => {
    for (const body of [found, { proxy_error: found }]) {
      server.answer = () => ({ status: 400, headers: traced, body });
      const error = await failureOf(client.proxy.get());
      expect(error).to.include({ code: 'strict', traceId: 't', docUrl: found.doc_url });
    }
  });

  it('has only the trace id of what a destination has refused, whatever its body says', async () => {
    const headers = { ...traced, 'SVC-Proxy-Destination-Status': '400' };
    server.answer = () => ({ status: 400, headers, body: found });
    const error = await failureOf(client.proxy.get());
    expect(error).to.include({ traceId: 't' });
    expect(error).to.not.have.any.keys('code', 'docUrl');
  });

  it('gives text that is no JSON, and nothing for an empty body', async () => {
    server.answer = (_request, n) => ({ status: 502, body: n === 0 ? '<html>' : '' });
    expect((await failureOf(client.tokens.retrieve('a'))).data).to.equal('<html>');
    expect((await failureOf(client.tokens.retrieve('a'))).data).to.equal(undefined);
  });

  it('has the status -1 when there was no answer', async () => {
    await server[Symbol.asyncDispose]();
    const error = await failureOf(client.tokens.retrieve('a'));
    expect(error.status).to.equal(-1);
    expect(error.message).to.match(/^Request failed without an answer: /);
    expect(error.data).to.equal(undefined);
  });

  it('ends when its time is over', async () => {
    server.answer = () => undefined;
    const hasty = await connected({ timeoutMs: 30 });
    const error = await failureOf(hasty.tokens.retrieve('a'));
    expect(error.status).to.equal(-1);
    expect(error.message).to.contain('there was no answer within 30 ms');
  });

  it('is one whose success is no JSON', async () => {
    server.answer = () => ({ body: 'hello' });
    const error = await failureOf(client.tokens.retrieve('a'));
    expect([error.status, error.message, error.data]).to.deep.equal([
      200,
      'The answer is not JSON.',
      'hello',
    ]);
  });

  it('is one that is redirected, and the key is sent nowhere else', async () => {
    server.answer = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    expect((await failureOf(client.tokens.retrieve('a'))).status).to.equal(307);
    expect(server.received).to.have.length(1);
  });

  it('never reached the server for an id that would address something else', async () => {
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      for (const call of [
        () => client.tokens.delete(id),
        () => client.reactors.react(id),
        () => client.proxies.retrieve(id),
      ]) {
        expect(await messageOf(call())).to.match(/^An id is expected, not /);
      }
    }
    for (const path of ['..', 'a/../b', '/%2e%2E/tokens', '\\..\\tokens', './a']) {
      expect(await messageOf(client.proxy.get({ path }))).to.match(/segments/);
    }
    expect(server.received).to.deep.equal([]);
  });

  it('does not change the prototype of what comes back', async () => {
    server.answer = () => ({ body: '{"__proto__":{"isAdmin":true},"some_key":1}' });
    const tenant = await client.tenants.retrieve();
    expect(Object.getPrototypeOf(tenant)).to.equal(Object.prototype);
    expect(tenant).not.to.have.property('isAdmin');
  });
});

describe('a warning of an answer', () => {
  it('gets to onWarning with its call, and what that throws does not fail the call', async () => {
    await using server = await startServer();
    const list = String.raw`"a \"b\", c\\d", "and more"`;
    server.answer = () => ({ headers: { 'SVC-Warning': list, 'SVC-TRACE-ID': 't' }, body: {} });
    const told: unknown[] = [];
    const onWarning = (...all: unknown[]) => {
      told.push(all);
      throw new Error('a mistake of the caller');
    };
    const client = await new Glovebox().init('key_1', { apiBaseUrl: server.url, onWarning });
    await client.tenants.retrieve();
    const call = { method: 'GET', path: '/tenants/self/', traceId: 't' };
    expect(told).to.deep.equal([
      [String.raw`a "b", c\d`, call],
      ['and more', call],
    ]);
  });
});

describe('init', () => {
  it('has to come first, and only once', async () => {
    const client = new Glovebox();
    for (const call of [client.tokens.retrieve('a'), client.proxy.get(), client.tokenize(1)]) {
      expect(await messageOf(call)).to.equal(
        'This instance is not initialised: await init(apiKey, options) first.',
      );
    }
    const options = { apiBaseUrl: 'https://api.example' };
    expect(await client.init('key_1', options)).to.equal(client);
    expect(await messageOf(client.init('key_1', options))).to.equal('This instance is initialised already.');
  });

  const refused: Readonly<Record<string, RegExp>> = {
    'not a url': /Invalid format for the given API base url/,
    'ftp://api.example': /Invalid format/,
    'https://user@api.example': /Invalid format/,
    'https://api.example?x=1': /Invalid format/,
    'http://api.example': /must be https/,
    'http://localhost.example': /must be https/,
  };
  for (const [apiBaseUrl, expected] of Object.entries(refused)) {
    it(`refuses ${apiBaseUrl}`, async () => {
      expect(await messageOf(new Glovebox().init('key_1', { apiBaseUrl }))).to.match(expected);
    });
  }

  it('takes https, local http, and any http when that is allowed; a path is kept', async () => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return { status: 200, headers: new Headers(), text: async () => '{}' };
    };
    for (const apiBaseUrl of ['https://a.example/', 'http://localhost:1/x/', 'http://[::1]:2']) {
      await (await new Glovebox().init('k', { apiBaseUrl, fetch })).tenants.retrieve();
    }
    await (
      await new Glovebox().init('k', { apiBaseUrl: 'http://a.b', allowHttp: true, fetch })
    ).tenants.retrieve();
    expect(urls).to.deep.equal([
      'https://a.example/tenants/self/',
      'http://localhost:1/x/tenants/self/',
      'http://[::1]:2/tenants/self/',
      'http://a.b/tenants/self/',
    ]);
  });

  it('refuses to be without a key or an address, unless a transport knows both', async () => {
    expect(await messageOf(new Glovebox().init('', { apiBaseUrl: 'https://a.b' }))).to.contain('API key');
    expect(await messageOf(new Glovebox().init('key_1'))).to.contain('apiBaseUrl');
    const sent: unknown[] = [];
    const client = await new Glovebox().init(undefined, {
      transport: async (request) => {
        sent.push(request);
        return { status: 200, headers: {}, body: '{"tenant_id":"t"}' };
      },
    });
    expect(await client.tenants.retrieve()).to.deep.equal({ tenantId: 't' });
    expect(sent).to.deep.equal([
      {
        method: 'GET',
        path: '/tenants/self/',
        query: '',
        headers: { Accept: 'application/json, text/plain, */*' },
      },
    ]);
  });

  it('makes an instance that shows neither its key nor anything else in JSON', async () => {
    const client = await new Glovebox().init('key_secret', { apiBaseUrl: 'https://a.b' });
    expect(JSON.stringify({ a: 1, client })).to.equal('{"a":1}');
    expect(JSON.stringify(Object.values(client))).not.to.contain('key_secret');
  });
});
