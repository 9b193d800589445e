import { expect } from 'chai';

import { readAllowed, readAllowedHosts } from './read-allowed.ts';

describe('what may be dialled besides', () => {
  const read = (settings: Record<string, string[]>) => {
    const problems: string[] = [];
    const allowed = readAllowed({
      list: (name) => settings[name] ?? [],
      problem: (text) => void problems.push(text),
    });
    return { allowed, problems };
  };

  it('is nothing unless it is set', () => {
    expect(read({})).to.deep.equal({ allowed: { allowCidrs: [], allowHosts: [] }, problems: [] });
  });

  it('is names alone for who dials nothing', () => {
    const problems: string[] = [];
    const reader = {
      list: (name: string) => (name === 'EGRESS_ALLOW_HOSTS' ? ['redis', 'localhost'] : ['?']),
      problem: (text: string) => void problems.push(text),
    };
    expect(readAllowedHosts(reader)).to.deep.equal(['redis', 'localhost']);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/^EGRESS_ALLOW_HOSTS: "localhost"/);
  });

  it('names the setting of what is no block or no name', () => {
    const { problems } = read({ EGRESS_ALLOW_CIDRS: ['10.0.0.0/99'], EGRESS_ALLOW_HOSTS: ['*'] });
    expect(problems.map((problem) => problem.split(':')[0])).to.deep.equal([
      'EGRESS_ALLOW_CIDRS',
      'EGRESS_ALLOW_HOSTS',
    ]);
  });
});
