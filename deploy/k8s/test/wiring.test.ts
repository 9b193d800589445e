import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';

import { developmentSecrets } from '../src/development-secrets.ts';
import { overlays } from '../src/rendering.ts';
import type { ICertificate } from './harness/cert-manager.ts';
import { type Labels, nameOf, ofKind, readManifests, selects } from './harness/manifests.ts';
import { requiredSettingsOf, settingsOf } from './harness/settings.ts';
import { literal, mainContainer, runsToItsEnd, workloadsOf } from './harness/workloads.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

for (const overlay of overlays) {
  describe(`how the objects of ${overlay} fit together`, () => {
    const manifests = readManifests(overlay);
    const workloads = workloadsOf(manifests);
    const services = workloads.filter(({ name }) => (serviceNames as readonly string[]).includes(name));
    const secrets = new Map<string, readonly string[]>([
      ...developmentSecrets().map(
        ({ metadata, stringData }) => [metadata.name, Object.keys(stringData)] as const,
      ),
      ...(ofKind(manifests, 'Certificate') as unknown as ICertificate[]).map(
        ({ spec }) => [spec.secretName, ['ca.crt', 'tls.crt', 'tls.key']] as const,
      ),
    ]);
    const configMaps = new Map(
      ofKind(manifests, 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]),
    );
    const environmentOf = (workload: (typeof workloads)[number]) => {
      const container = mainContainer(workload);
      const shared = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
        Object.keys(configMaps.get(configMapRef?.name ?? '') ?? {}),
      );
      return [...shared, ...(container.env ?? []).map(({ name }) => name)];
    };

    it('gives each object a name of its own', () => {
      const all = manifests.map(nameOf);
      expect(all.filter((name, index) => all.indexOf(name) !== index)).to.deep.equal([]);
    });

    it('sets nothing that the service would not read', () => {
      const unknown = services.flatMap((service) => {
        const known = settingsOf(service.name);
        // DOCS_URL is in the ConfigMap of all services.
        return environmentOf(service)
          .filter((name) => !known.has(name) && !name.startsWith('OTEL_') && name !== 'DOCS_URL')
          .map((name) => `${service.name}: ${name}`);
      });
      expect(unknown).to.deep.equal([]);
    });

    it('sets nothing that docs/settings.md does not explain', () => {
      const page = read('docs/settings.md');
      const missing = services
        .flatMap(environmentOf)
        .filter((name) => !page.includes(`\`${name}\``) && !name.startsWith('OTEL_'));
      expect(missing).to.deep.equal([]);
    });

    it('sets whatever a service cannot start without', () => {
      for (const service of services) {
        const required = requiredSettingsOf(service.name);
        expect(required, service.name).to.not.have.length(0);
        expect(environmentOf(service), service.name).to.include.members(required);
      }
    });

    it('keeps every secret in a Secret', () => {
      const secretNames = /TOKEN|PASSWORD|SECRET|PEERS|(DATABASE|REDIS)_URL$/;
      const plain = workloads.flatMap(({ name, containers }) =>
        containers.flatMap(({ env = [] }) =>
          env
            .filter((entry) => secretNames.test(entry.name) && entry.value !== undefined)
            .map((entry) => `${name}: ${entry.name}`),
        ),
      );
      expect(plain).to.deep.equal([]);
      expect(ofKind(manifests, 'Secret')).to.deep.equal([]);
    });

    it('refers to Secrets, keys in them and ConfigMaps that there are', () => {
      const missing: string[] = [];
      for (const { name, containers, pod } of workloads) {
        for (const { env = [], envFrom = [] } of containers) {
          for (const { valueFrom } of env) {
            const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
            const found = valueFrom === undefined || secrets.get(secret)?.includes(key);
            if (!found) missing.push(`${name}: ${secret}/${key}`);
          }
          for (const { configMapRef } of envFrom) {
            if (!configMaps.has(configMapRef?.name ?? '')) missing.push(`${name}: ${configMapRef?.name}`);
          }
        }
        for (const { secret, configMap } of pod.volumes ?? []) {
          const keys = secret?.items?.map(({ key }) => key) ?? [];
          const found = secrets.get(secret?.secretName ?? '');
          if (secret !== undefined && !(found && keys.every((key) => found.includes(key))))
            missing.push(`${name}: volume`);
          if (configMap !== undefined && !configMaps.has(configMap.name ?? ''))
            missing.push(`${name}: volume`);
        }
      }
      expect(missing).to.deep.equal([]);
    });

    it('makes a service read the secrets of its own name only', () => {
      const foreign = services.flatMap(({ name, containers }) =>
        containers
          .flatMap(({ env = [] }) => env)
          .map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)
          .filter((secret) => secret !== undefined && secret !== name),
      );
      expect(foreign).to.deep.equal([]);
    });

    it('gives the database of one service to no other', () => {
      const holders = (secret: string) =>
        workloads
          .filter(({ containers }) =>
            containers.some(({ env = [] }) =>
              env.some(
                ({ valueFrom }) =>
                  valueFrom?.secretKeyRef?.name === secret && valueFrom.secretKeyRef.key === 'DATABASE_URL',
              ),
            ),
          )
          .map(({ name }) => name)
          .sort();
      expect(holders('control-api')).to.deep.equal(['control-api', 'control-api-migrations']);
      expect(holders('token-vault')).to.deep.equal(['token-vault', 'token-vault-migrations']);
    });

    it('gives the vault’s keys to the vault, in a file that it takes', () => {
      const holders = workloads.filter(({ pod }) =>
        pod.volumes?.some(({ secret }) => secret?.secretName === 'token-vault-keys'),
      );
      expect(holders.map(({ name }) => name)).to.deep.equal(['token-vault']);
      const vault = holders[0]!;
      const [copying] = vault.pod.initContainers ?? [];
      const container = mainContainer(vault);
      // It never sees the mounted Secret, only the copy that nobody else may read.
      expect(container.volumeMounts?.map(({ name }) => name)).to.deep.equal([
        'keys',
        'grpc-certificate',
        'snapshot',
      ]);
      expect(vault.pod.volumes?.find(({ name }) => name === 'keys')?.emptyDir?.medium).to.equal('Memory');
      expect(copying?.command?.at(-1))
        .to.contain('mode: 0o400')
        .and.to.contain(literal(container, 'KEY_FILE'));
    });

    it('mounts only volumes that exist, and has no unused ones', () => {
      for (const { pod, containers, manifest, name } of workloads) {
        const claims = (manifest.spec?.['volumeClaimTemplates'] ?? []) as { metadata: { name: string } }[];
        const volumes = [
          ...(pod.volumes ?? []).map((volume) => volume.name),
          ...claims.map(({ metadata }) => metadata.name),
        ];
        const mounted = containers.flatMap(({ volumeMounts = [] }) =>
          volumeMounts.map((mount) => mount.name),
        );
        expect(new Set(mounted), name).to.deep.equal(new Set(volumes));
      }
    });

    it('has the selector of every workload fit its own pods', () => {
      for (const workload of workloads) {
        if (runsToItsEnd(workload)) continue;
        const { manifest, labels, name } = workload;
        const selector = manifest.spec?.['selector'] as { matchLabels: Labels };
        expect(labels, name).to.include(selector.matchLabels);
      }
    });

    it('has every Service lead to one workload, and to ports that its pods listen on', () => {
      for (const service of ofKind(manifests, 'Service') as unknown as IService[]) {
        const name = service.metadata?.name;
        const targets = workloads.filter(({ labels }) =>
          selects({ matchLabels: service.spec?.selector ?? {} }, labels),
        );
        expect(targets.map((target) => target.name)).to.deep.equal([name]);
        const listening = mainContainer(targets[0]!).ports?.map((port) => port.name);
        for (const { targetPort } of service.spec?.ports ?? [])
          expect(listening, name).to.include(targetPort);
      }
    });

    it('has each service listen where its ports say', () => {
      const settings = { http: 'HTTP_PORT', grpc: 'GRPC_PORT', metrics: 'METRICS_PORT' } as const;
      for (const service of services) {
        const container = mainContainer(service);
        expect(container.ports).to.have.length(2);
        for (const { name, containerPort } of container.ports ?? []) {
          const setting = settings[name as keyof typeof settings];
          expect(literal(container, setting), `${service.name} ${setting}`).to.equal(String(containerPort));
          const host = setting.replace('PORT', 'HOST');
          expect(literal(container, host), `${service.name} ${host}`).to.equal('0.0.0.0');
        }
      }
    });

    it('has the addresses that services call be Services that there are, at their ports', () => {
      const addresses = services.flatMap((service) =>
        ['VAULT_ADDRESS', 'RUNNER_ADDRESS'].map((name) => literal(mainContainer(service), name)),
      );
      const served = (ofKind(manifests, 'Service') as unknown as IService[]).flatMap(({ metadata, spec }) =>
        (spec?.ports ?? []).map(({ port }) => `${metadata?.name}:${port}`),
      );
      const called = addresses.filter((address) => address !== undefined);
      expect(new Set(called)).to.deep.equal(new Set(['token-vault:50051', 'reactor-runner:50052']));
      expect(served).to.include.members(called);
    });

    it('has gRPC behind names that resolve to every pod, so that clients can choose', () => {
      for (const service of ofKind(manifests, 'Service') as unknown as IService[]) {
        const { name = '' } = service.metadata ?? {};
        const grpc = service.spec?.ports?.some((port) => port.name === 'grpc') ?? false;
        expect(service.spec?.clusterIP === 'None', name).to.equal(grpc);
      }
    });

    it('shows nothing to the outside but through the edge', () => {
      for (const service of ofKind(manifests, 'Service') as unknown as IService[]) {
        expect(service.spec?.type ?? 'ClusterIP', service.metadata?.name).to.equal('ClusterIP');
        expect(service.spec?.externalIPs).to.equal(undefined);
      }
      expect(ofKind(manifests, 'Ingress')).to.deep.equal([]);
    });

    it('turns the rules of production on', () => {
      for (const service of services) {
        const profile = literal(mainContainer(service), 'EGRESS_PROFILE');
        const dials = settingsOf(service.name).has('EGRESS_PROFILE');
        expect(profile, service.name).to.equal(dials ? 'strict' : undefined);
        expect(literal(mainContainer(service), 'NODE_ENV'), 'the image sets it').to.equal(undefined);
      }
    });

    it('migrates with the image of the service whose database it is', () => {
      for (const { name, pod, kind } of workloads) {
        if (kind !== 'Job') continue;
        const service = name.replace('-migrations', '');
        const [container] = pod.containers;
        expect(container?.image).to.equal(
          mainContainer(services.find((candidate) => candidate.name === service)!).image,
        );
        expect(container?.args).to.deep.equal([`services/${service}/dist/migrate-main.js`]);
        expect(globSync(`services/${service}/src/migrate-main.ts`, { cwd: checkout })).to.have.length(1);
      }
    });

    it('migrates after the stores are there and before any service changes', () => {
      const wave = (annotations: Labels | undefined) =>
        Number(annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
      for (const { manifest, kind, name, pod } of workloads) {
        const { annotations } = manifest.metadata;
        if (kind === 'Job') {
          expect(wave(annotations), name).to.equal(-1);
          expect(annotations).to.include({
            'argocd.argoproj.io/hook': 'Sync',
            'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
          });
          const account = ofKind(manifests, 'ServiceAccount').find(
            ({ metadata }) => metadata.name === pod.serviceAccountName,
          );
          expect(wave(account?.metadata.annotations), 'its account').to.equal(-2);
        } else if (kind === 'StatefulSet') expect(wave(annotations), name).to.equal(-2);
        else expect(wave(annotations), name).to.equal(0);
      }
    });

    if (overlay === 'prod') {
      it('has a budget for disruptions of every service, which lets a node be drained', () => {
        const budgets = ofKind(manifests, 'PodDisruptionBudget') as unknown as IPodDisruptionBudget[];
        for (const { name, labels } of services) {
          const own = budgets.filter(({ spec }) => selects(spec?.selector ?? {}, labels));
          expect(own, name).to.have.length(1);
          expect(own[0]?.spec).to.deep.include({
            maxUnavailable: 1,
            unhealthyPodEvictionPolicy: 'AlwaysAllow',
          });
        }
        expect(budgets).to.have.length(services.length);
      });

      it('has more than one pod of every service, counted by an autoscaler or by the Deployment', () => {
        const scalers = ofKind(manifests, 'HorizontalPodAutoscaler') as unknown as IHorizontalPodAutoscaler[];
        for (const { name, manifest } of services) {
          const scaler = scalers.find(({ spec }) => spec?.scaleTargetRef.name === name);
          // With both, each deployment would undo what the autoscaler did.
          expect(scaler === undefined, name).to.equal(manifest.spec?.['replicas'] !== undefined);
          expect(scaler?.spec?.minReplicas ?? manifest.spec?.['replicas'], name).to.be.at.least(2);
        }
        expect(scalers.map(({ metadata }) => metadata?.name)).to.have.members([
          'proxy-gateway',
          'reactor-runner',
          'token-vault',
        ]);
      });

      it('scales the runner before all workers of a pod serve', () => {
        const scalers = ofKind(manifests, 'HorizontalPodAutoscaler') as unknown as IHorizontalPodAutoscaler[];
        const runner = scalers.find(({ metadata }) => metadata?.name === 'reactor-runner');
        const busy = runner?.spec?.metrics?.find(
          ({ pods }) => pods?.metric.name === 'glovebox_runner_busy_workers',
        );
        const workers = Number(
          literal(mainContainer(services.find(({ name }) => name === 'reactor-runner')!), 'WORKERS'),
        );
        expect(Number(busy?.pods?.target.averageValue)).to.be.lessThan(workers);
      });

      it('takes requests over TLS only', () => {
        const [gateway] = ofKind(manifests, 'Gateway');
        const listeners = gateway?.spec?.['listeners'] as { protocol: string; tls?: object }[];
        expect(listeners.map(({ protocol }) => protocol)).to.deep.equal(['HTTPS']);
      });
    }
  });
}
