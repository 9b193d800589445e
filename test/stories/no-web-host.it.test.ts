import { expect } from 'chai';

import type { Answer, Sent } from '../harness/api.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

/** What others write is answered from an origin of ours, and must not become a page of it in a browser. */
describe('our origin is no web host', () => {
  const story = transformStory();
  const hostile = {
    'Service-Worker-Allowed': '/',
    'clear-site-data': '"*"',
    'Set-Cookie': ['a=1', '__Host-glovebox-session=x; Path=/', ' =__host-GLOVEBOX=y', 'b=__Host-glovebox'],
    'X-Kept': 'yes',
  };
  const navigation = {
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-Site': 'none',
  };
  const policies = ({ headers }: Answer) => [headers['content-security-policy'] ?? []].flat();

  /** One proxied answer of each kind; all say the same in their headers. */
  const kinds: Readonly<Record<string, (sent: Sent) => Promise<Answer>>> = {
    'the raw answer of a destination': async (sent) => {
      story.answering('text/html', '<script>', {
        ...hostile,
        'Content-Security-Policy': "default-src 'self'",
      });
      return story.post(await story.api.proxy(story.destination.url), sent);
    },
    'a raw error of a destination, though its successes are transformed': async (sent) => {
      story.answering('text/html', '<script>', hostile, 404);
      return story.post(await story.onResponse('({ args }) => args'), sent);
    },
    'a transformed answer': async (sent) => {
      story.answering('application/json', '{}');
      const headers = JSON.stringify(hostile);
      return story.post(await story.onResponse(`() => ({ body: {}, headers: ${headers} })`), sent);
    },
    'an answer that code throws': async (sent) => {
      const answer = JSON.stringify({ status: 200, headers: hostile, body: '<script>' });
      const code = `() => { throw Object.assign(new Error(), { name: 'CustomHttpResponseError', ...${answer} }) }`;
      return story.post(await story.onRequest(code), sent);
    },
  };

  for (const [kind, ask] of Object.entries(kinds)) {
    it(`${kind} sets no cookie of ours and says nothing for the whole origin`, async () => {
      const { headers } = await ask({ body: {} });
      expect(headers).to.include({ 'x-kept': 'yes' });
      expect(headers).to.not.have.any.keys('service-worker-allowed', 'clear-site-data');
      expect([headers['set-cookie']].flat()).to.deep.equal(['a=1', 'b=__Host-glovebox']);
    });

    it(`${kind} is a page without our origin where a browser goes there`, async () => {
      const own = await ask({ body: {}, headers: navigation });
      expect(policies(own).join(', ').split(', ')).to.include('sandbox');
      expect([own.headers['vary']].flat().join()).to.contain('Sec-Fetch-Mode');
      const script = await ask({ body: {}, headers: { ...navigation, 'Sec-Fetch-Mode': 'cors' } });
      expect(policies(script).join()).to.not.contain('sandbox');
      expect([script.headers['vary']].flat().join()).to.contain('Sec-Fetch-Mode');
    });
  }

  it("a destination's own policy stays beside ours", async () => {
    const own = await kinds['the raw answer of a destination']!({ body: {}, headers: navigation });
    expect(policies(own).join(', ')).to.equal("default-src 'self', sandbox");
  });

  it('an error of ours is a page without our origin as well', async () => {
    const answer = await story.api.invoke('nothing', 'GET', '', { headers: navigation });
    expectProblem(answer, 404, /no proxy/);
    expect(policies(answer)).to.deep.equal(['sandbox']);
  });

  it('who is no browser gets no policy, and caches hear that a browser might', async () => {
    for (const ask of Object.values(kinds)) {
      const { headers } = await ask({ body: {} });
      expect([headers['vary']].flat()).to.include('Sec-Fetch-Mode');
      expect([headers['content-security-policy'] ?? []].flat().join()).to.not.contain('sandbox');
    }
    const error = await story.api.invoke('nothing', 'GET', '');
    expect([error.headers['vary']].flat()).to.include('Sec-Fetch-Mode');
  });

  it('no script of a service worker is given out, and the destination is not asked for one', async () => {
    const { key } = await story.api.proxy(story.destination.url);
    for (const value of ['script', ' SCRIPT']) {
      const answer = await story.api.invoke(key, 'GET', '/sw.js', { headers: { 'Service-Worker': value } });
      expectProblem(answer, 403, /service worker/);
    }
    expect(story.destination.received).to.have.length(0);
  });

  it('no destination and no code gets a cookie of ours', async () => {
    const proxy = await story.api.proxy(story.destination.url);
    const cookie = 'a=1; __Host-glovebox-session=secret; b=2';
    await story.post(proxy, { body: {}, headers: { Cookie: cookie } });
    expect(story.only().headers['cookie']).to.equal('a=1; b=2');
  });
});
