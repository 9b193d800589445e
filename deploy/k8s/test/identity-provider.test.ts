import { expect } from 'chai';

import { ofKind, readManifests } from './harness/manifests.ts';
import { settingsOf } from './harness/settings.ts';
import { mainContainer, workloadsOf } from './harness/workloads.ts';

describe('the console with an identity provider', () => {
  const manifests = readManifests('prod-identity-provider');
  const [control, ...others] = workloadsOf(manifests);
  const opened = (of: typeof manifests, name: string) => {
    const policy = ofKind(of, 'NetworkPolicy').find(({ metadata }) => metadata.name === name);
    return (policy?.spec?.['egress'] as readonly { to: object; ports: object }[] | undefined)?.[0];
  };

  it('is set up by settings that control-api reads, and the secret is no literal', () => {
    expect([control?.name, others]).to.deep.equal(['control-api', []]);
    const env = mainContainer(control!).env ?? [];
    const known = settingsOf('control-api');
    for (const { name } of env) expect([...known]).to.include(name);
    expect(env.find(({ name }) => name === 'OIDC_CLIENT_SECRET')).not.to.have.property('value');
    for (const name of ['CONSOLE_URL', 'OIDC_ISSUER', 'OIDC_ROLES']) {
      expect(env.find((one) => one.name === name))
        .to.have.property('value')
        .that.is.not.equal('');
    }
  });

  it('opens https to public addresses for control-api alone, the same that gateways may reach', () => {
    const [policy, ...more] = ofKind(manifests, 'NetworkPolicy');
    expect([policy?.metadata.name, more]).to.deep.equal(['to-identity-provider', []]);
    expect(policy?.spec?.['podSelector']).to.deep.equal({
      matchLabels: { 'app.kubernetes.io/name': 'control-api' },
    });
    const ours = opened(manifests, 'to-identity-provider');
    expect(ours?.to).to.deep.equal(opened(readManifests('prod'), 'public-addresses')?.to);
    expect(ours?.ports).to.deep.equal([{ port: 443, protocol: 'TCP' }]);
  });
});
