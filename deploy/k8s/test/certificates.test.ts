import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { overlays } from '../src/rendering.ts';
import type { ICertificate, IIssuer } from './harness/cert-manager.ts';
import { readAlerts } from './harness/expressions.ts';
import { ofKind, readManifests } from './harness/manifests.ts';
import { mainContainer, workloadsOf } from './harness/workloads.ts';

for (const overlay of overlays) {
  describe(`the certificates of ${overlay}`, () => {
    const manifests = readManifests(overlay);
    const certificates = ofKind(manifests, 'Certificate') as unknown as readonly ICertificate[];
    const issuers = ofKind(manifests, 'Issuer') as unknown as readonly IIssuer[];
    const workloads = workloadsOf(manifests);
    const authority = certificates.find(({ spec }) => spec.isCA === true);
    const ofServices = certificates.filter((certificate) => certificate !== authority);
    const secretsOf = (name: string) =>
      workloads
        .filter(({ pod }) => pod.volumes?.some(({ secret }) => secret?.secretName === name))
        .map((workload) => workload.name);

    it('are one for each service, which names it and nothing else', () => {
      expect(ofServices.map(({ spec }) => [spec.secretName, spec.uris, spec.dnsNames])).to.deep.equal(
        serviceNames.toSorted().map((name) => [`${name}-grpc`, [`spiffe://glovebox/${name}`], undefined]),
      );
    });

    it('are of an authority of this namespace, whose key no pod has', () => {
      const own = issuers.find(({ metadata }) => metadata.name === 'grpc-authority');
      expect(own?.spec).to.deep.equal({ ca: { secretName: authority?.spec.secretName } });
      for (const { spec } of ofServices) expect(spec.issuerRef.name).to.equal('grpc-authority');
      expect(authority?.spec).to.include({ isCA: true, secretName: 'grpc-authority' });
      expect(secretsOf('grpc-authority')).to.deep.equal([]);
    });

    it('can sign nothing themselves, and are for both ends of a connection', () => {
      for (const { spec } of ofServices) {
        expect(spec.isCA).to.equal(undefined);
        expect(spec.usages).to.deep.equal(['digital signature', 'client auth', 'server auth']);
      }
    });

    it('are short-lived, with new keys each time, and are renewed a day before the alert and two before their end', () => {
      for (const { spec } of ofServices) {
        expect(hours(spec.duration)).to.be.at.most(24 * 7);
        expect(hours(spec.renewBefore)).to.be.at.least(48);
        expect(spec.privateKey.rotationPolicy).to.equal('Always');
      }
      const { expr } = readAlerts().find(({ alert }) => alert === 'CertificateEnds')!;
      expect(Number(/< (\d+)$/.exec(expr)?.[1]) / 3600).to.equal(24);
    });

    it('keep their authority’s key when it is renewed, so that old and new ones hold at once', () => {
      expect(authority?.spec.privateKey.rotationPolicy).to.equal('Never');
      const { duration, renewBefore } = authority!.spec;
      // Renewed long before one that it has signed could outlive it.
      expect(hours(renewBefore)).to.be.at.least(24 * 30);
      expect(hours(duration)).to.be.greaterThan(hours(renewBefore));
    });

    it('are mounted, each by its own service only, where the settings look for them', () => {
      const settings = ofKind(manifests, 'ConfigMap').find(({ metadata }) =>
        metadata.name.startsWith('settings'),
      );
      for (const name of serviceNames) {
        expect(secretsOf(`${name}-grpc`)).to.deep.equal([name]);
        const workload = workloads.find((candidate) => candidate.name === name)!;
        const volume = workload.pod.volumes?.find(({ secret }) => secret?.secretName === `${name}-grpc`);
        const mount = mainContainer(workload).volumeMounts?.find((each) => each.name === volume?.name);
        expect(mount, name).to.include({ mountPath: '/tls', readOnly: true });
        // A link to a single file would never change.
        expect(mount?.subPath).to.equal(undefined);
        expect(workload.pod.securityContext?.fsGroup, 'may read it').to.equal(65_532);
        expect(volume?.secret?.defaultMode).to.equal(0o440);
      }
      expect(settings?.data).to.include({
        GRPC_TLS_CA_FILE: '/tls/ca.crt',
        GRPC_TLS_CERT_FILE: '/tls/tls.crt',
        GRPC_TLS_KEY_FILE: '/tls/tls.key',
      });
      expect(settings?.data).not.to.have.property('GRPC_PLAINTEXT');
    });
  });
}

function hours(duration: string): number {
  return Number(duration.replace(/h$/, ''));
}
