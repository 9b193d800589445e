import { expect } from 'chai';

import type { Problems } from './problems.ts';
import { maxHostPatterns, readHostPatterns } from './read-host-patterns.ts';

function read(input: unknown, min: 0 | 1 = 1): { patterns: readonly string[]; problems: Problems } {
  const problems: Problems = {};
  const patterns = readHostPatterns(input, { min, localhost: false }, 'hosts', problems);
  return { patterns, problems };
}

describe('readHostPatterns', () => {
  it('returns each pattern once, as it is stored', () => {
    const sent = ['API.example.com', 'api.example.com:443', '*.example.com'];
    expect(read(sent)).to.deep.equal({ patterns: ['api.example.com', '*.example.com'], problems: {} });
  });

  it('names every pattern that it refuses', () => {
    const { problems } = read(['a.example.com', '*.com', 7, 'a/b']);
    expect(Object.keys(problems)).to.deep.equal(['hosts[1]', 'hosts[2]', 'hosts[3]']);
  });

  it('takes as many as fit, and no empty list where there has to be one', () => {
    const many = Array.from({ length: maxHostPatterns }, (_, index) => `h${index}.example.com`);
    expect(read(many).problems).to.deep.equal({});
    for (const input of [[...many, 'one.more.example.com'], [], 'a.example.com', {}, null])
      expect(read(input).problems, JSON.stringify(input)).to.have.all.keys('hosts');
    expect(read([], 0)).to.deep.equal({ patterns: [], problems: {} });
  });
});
