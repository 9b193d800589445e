import { readOpenApiDocument } from '@glovebox/openapi/document';
import type { ErrorObject } from '@glovebox/platform/errors/http';
import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

/** What is shown to everybody at the public address. */
describe('the documentation', () => {
  let api: ReturnType<typeof apiOf>;
  before(async () => {
    api = apiOf(await sharedSystem());
  });

  const loadedBy = (page: string) =>
    [...page.matchAll(/(?:src="|<link[^>]+href=")([^"]+)"/g)].map(([, path]) => path as string);
  const expectFile = async (path: string) => {
    const file = await api.send('GET', path);
    expect(file.status, path).to.equal(200);
    expect(file.headers['x-content-type-options'], path).to.equal('nosniff');
  };

  it('is the description of the API, for programs and without a key', async () => {
    const answer = await api.send('GET', '/openapi.json');
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json');
    expect(answer.json).to.deep.equal(readOpenApiDocument());
    expect((await api.send('GET', '/openapi.json/')).text).to.equal(answer.text);
  });

  it('is a page from which requests can be sent, and which loads nothing but files of its own', async () => {
    const page = await api.send('GET', '/docs/try');
    const loaded = loadedBy(page.text);
    expect(loaded).to.have.length(4);
    for (const path of loaded) await expectFile(path);
    const start = await api.send('GET', '/docs/try/start.js');
    expect(start.text).to.include("url: '/openapi.json'").and.include('validatorUrl: null');
    expect(page.text + start.text).to.not.match(/https?:/);
  });

  it('is a site whose pages load nothing but files of its own, deep ones too', async () => {
    for (const path of ['/docs', '/docs/contract/tokens', '/docs/api/tokens', '/docs/errors']) {
      const page = await api.send('GET', path);
      expect([page.status, page.headers['content-type']], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      for (const file of loadedBy(page.text)) await expectFile(file);
      expect(page.headers['content-security-policy'], path).to.include("style-src 'self'; ");
    }
    await expectFile('/docs/assets/search.json');
  });

  it('has for each error a page at the address that the error names, with a section of its code', async () => {
    const refused = [
      await api.send('GET', '/tokens', { key: 'key_that_there_is_not' }),
      await api.send('GET', '/tenants/self', { key: 'key_that_there_is_not' }),
      await api.send('GET', '/docs/index.html'),
      await api.send('POST', '/docs/errors', { body: {} }),
    ].map(({ json }) => json as ErrorObject);
    expect(refused.map(({ code }) => code)).to.deep.equal([
      'unauthenticated',
      'unauthenticated',
      'not_found',
      'method_not_allowed',
    ]);
    for (const { code, doc_url } of refused) {
      const page = await fetch(doc_url);
      expect([page.status, page.headers.get('content-type')], doc_url).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(new URL(doc_url).hash).to.equal(`#${code}`);
      expect(await page.text()).to.include(`id="${code}"`);
    }
  });

  it('runs no script that does not lie beside the page, and is shown in no other', async () => {
    const { headers, text } = await api.send('GET', '/docs/');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).to.include.members(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]);
    expect(text).to.not.match(/<script>|\son[a-z]+=/);
  });

  it('is not sent again to who has it, and asked for each time', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/try/swagger-ui-bundle.js']) {
      const { headers } = await api.send('GET', path);
      expect(headers['cache-control'], path).to.equal('no-cache');
      const tag = String(headers['etag']);
      const again = await api.send('GET', path, { headers: { 'If-None-Match': `"other", W/${tag}` } });
      expect([again.status, again.text], path).to.deep.equal([304, '']);
      const changed = await api.send('GET', path, { headers: { 'If-None-Match': '"other"' } });
      expect(changed.status, path).to.equal(200);
    }
  });

  it('takes no other method, and has no other file', async () => {
    const posted = await api.send('POST', '/docs', { body: {} });
    expect([posted.status, posted.headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
    expect((await api.send('GET', '/docs/../package.json')).status).to.equal(404);
    expect((await api.send('GET', '/docs/index.html')).status).to.equal(404);
    expect(await api.send('HEAD', '/docs')).to.include({ status: 200, text: '' });
  });
});
