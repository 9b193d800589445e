import { expect } from 'chai';

import { ConfigError, EnvReader } from '../settings/env.ts';
import { readDocsUrl } from './read-docs-url.ts';

const read = (url?: string) => {
  const env = new EnvReader({ DOCS_URL: url });
  return env.done({ url: readDocsUrl(env) }).url;
};

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
