import { ConfigError } from '@glovebox/platform/settings/config-error';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import { expect } from 'chai';

import { egressAllowCidrs, egressAllowHosts } from './egress-settings.ts';

describe('what may be dialled besides', () => {
  const problemsOf = (declaration: object, env: Record<string, string>) => {
    try {
      readSettings(declaration, env);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
    }
    return [];
  };
  const both = { allowCidrs: egressAllowCidrs, allowHosts: egressAllowHosts };

  it('is nothing unless it is set', () => {
    expect(readSettings(both, {})).to.deep.equal({ allowCidrs: [], allowHosts: [] });
  });

  it('is names alone for a service that dials nothing', () => {
    const env = { EGRESS_ALLOW_CIDRS: '?', EGRESS_ALLOW_HOSTS: 'redis,localhost' };
    const problems = problemsOf({ allowHosts: egressAllowHosts }, env);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/^EGRESS_ALLOW_HOSTS: "localhost"/);
    const { allowHosts } = readSettings({ allowHosts: egressAllowHosts }, { EGRESS_ALLOW_HOSTS: 'redis' });
    expect(allowHosts).to.deep.equal(['redis']);
  });

  it('names the setting of an entry that is no block or no name', () => {
    const problems = problemsOf(both, { EGRESS_ALLOW_CIDRS: '10.0.0.0/99', EGRESS_ALLOW_HOSTS: '*' });
    expect(problems.map((problem) => problem.split(':')[0])).to.deep.equal([
      'EGRESS_ALLOW_CIDRS',
      'EGRESS_ALLOW_HOSTS',
    ]);
  });
});
