import { expect } from 'chai';

import { docsUrl } from './common-settings.ts';
import { ConfigError } from './config-error.ts';
import { readSettings } from './read-settings.ts';

const read = (url?: string) => readSettings({ docsUrl }, { DOCS_URL: url }).docsUrl;

describe('DOCS_URL', () => {
  it('is where the documentation is, without a slash at its end', () => {
    expect(read('https://api.example.com/docs/')).to.equal('https://api.example.com/docs');
    expect(read()).to.match(/^http:\/\/localhost:\d+\/docs$/);
  });

  for (const url of ['/docs', 'ftp://a/docs', 'https://a/docs?x=1', 'https://a/docs#x', 'https://', 'x'])
    it(`is refused as ${url}`, () => {
      expect(() => read(url)).to.throw(ConfigError, 'DOCS_URL');
    });
});
