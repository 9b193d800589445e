import { expect } from 'chai';

import { keyVariants } from '../src/rendering.ts';
import { ofKind, readManifests } from './harness/manifests.ts';
import { settingsOf } from './harness/settings.ts';
import { literal, mainContainer, workloadsOf } from './harness/workloads.ts';

for (const variant of keyVariants) {
  describe(`the vault of ${variant}`, () => {
    const manifests = readManifests(variant);
    const [vault, ...others] = workloadsOf(manifests);

    it('is the only workload that is another than in prod', () => {
      expect(vault?.name).to.equal('token-vault');
      expect(others).to.deep.equal([]);
    });

    it('has its keys in the key service, and no key file', () => {
      const container = mainContainer(vault!);
      expect(literal(container, 'KEY_PROVIDER')).to.equal(variant.slice('prod-'.length));
      expect(literal(container, 'KEY_FILE')).to.equal(undefined);
      const mounts = container.volumeMounts?.map(({ name }) => name);
      const volumes = vault?.pod.volumes?.map(({ name }) => name);
      expect(volumes).to.have.members(mounts ?? []);
      expect(volumes).to.not.include.members(['keys']);
      expect(JSON.stringify(vault?.pod)).to.not.include('token-vault-keys');
    });

    it('is set up by settings that it reads', () => {
      const known = settingsOf('token-vault');
      for (const { name } of mainContainer(vault!).env ?? []) expect([...known]).to.include(name);
    });

    it('alone may reach the key service', () => {
      const policies = ofKind(manifests, 'NetworkPolicy');
      expect(policies.map(({ metadata }) => metadata.name)).to.deep.equal(['to-key-service']);
      expect(policies[0]?.spec?.['podSelector']).to.deep.equal({
        matchLabels: { 'app.kubernetes.io/name': 'token-vault' },
      });
    });
  });
}
