import { expect } from 'chai';

import { attack } from '../evidence/ssrf/attack.ts';
import { type SsrfStage, startSsrfStage } from '../evidence/ssrf/stage.ts';
import { apiOf } from '../harness/api.ts';
import type { System } from '../harness/system.ts';

/** The production rules: contract/proxies.md#destinations. */
describe('egress in the strict profile', () => {
  let stage: SsrfStage;
  let strict: System;

  before(async () => {
    stage = await startSsrfStage();
    strict = stage.system;
  });
  after(() => stage[Symbol.asyncDispose]());

  it('lets nothing through at any door, of a sample of the vectors of docs/evidence.md (seed 16)', async function () {
    this.timeout(120_000);
    const tally = await attack(stage, 16, 6);
    expect(tally.failures).to.deep.equal([]);
    expect(tally.cases).to.be.greaterThan(70);
  });

  for (const url of [
    'http://example.org',
    'https://localhost',
    'https://redis:6379',
    'http://redis:6379',
    'https://ledger.internal',
    'https://LEDGER.home.arpa:8443/x',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1',
    'https://user:password@example.org',
    'https://example.org/#fragment',
    'ftp://example.org',
    'https://',
    'https://example.org\\@127.0.0.1',
  ]) {
    it(`takes no proxy to ${url}`, async () => {
      const body = { name: 'x', destination_url: url };
      const answer = await apiOf(strict).manage('POST', '/proxies', body);
      expect(answer.status).to.equal(400);
      expect(Object.keys(answer.json.errors)).to.deep.equal(['destination_url']);
    });

    it(`tells no webhook at ${url}, and forwards no request there`, async () => {
      const api = apiOf(strict);
      const hook = { name: 'x', url, events: ['reactor.completed'] };
      const refused = await api.manage('POST', '/webhooks', hook);
      expect(refused.status).to.equal(400);
      expect(Object.keys(refused.json.errors)).to.deep.equal(['url']);
      const key = strict.dev.private_api_key;
      const forwarded = await api.send('GET', '/proxy', { key, headers: { 'SVC-PROXY-URL': url } });
      expect(forwarded.status).to.equal(400);
      expect(forwarded.json.proxy_error.title).to.equal('Invalid proxy request');
    });
  }
});
