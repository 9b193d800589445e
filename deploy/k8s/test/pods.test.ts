import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { overlays } from '../src/rendering.ts';
import { ofKind, readManifests } from './harness/manifests.ts';
import {
  type Container,
  type Workload,
  literal,
  mainContainer,
  quantity,
  runsToItsEnd,
  workloadsOf,
} from './harness/workloads.ts';

for (const overlay of overlays) {
  describe(`the pods of ${overlay}`, () => {
    const manifests = readManifests(overlay);
    const workloads = workloadsOf(manifests);
    const services = workloads.filter(({ name }) => (serviceNames as readonly string[]).includes(name));
    const ours = workloads.filter(({ labels }) => /^(?!postgres|redis|otel)/.test(nameLabel(labels)));

    /** Names of what breaks a rule. */
    const offenders = (rule: (workload: Workload) => boolean) =>
      workloads.filter((workload) => !rule(workload)).map(({ name }) => name);
    const containerOffenders = (rule: (container: Container) => boolean) =>
      workloads.flatMap(({ name, containers }) =>
        containers.filter((container) => !rule(container)).map((container) => `${name}/${container.name}`),
      );

    it('are those of the four services, of the migrations and of the backup, and the stores that the overlay brings', () => {
      const names = workloads.map(({ name }) => name);
      const jobs = ['control-api-migrations', 'token-vault-migrations', 'backup'];
      expect(names).to.include.members([...serviceNames, ...jobs]);
      expect(names).to.have.length(overlay === 'dev' ? 11 : 7);
    });

    it('are in a namespace that enforces the restricted pod security standard', () => {
      const [namespace] = ofKind(manifests, 'Namespace');
      expect(namespace?.metadata.labels).to.include({ 'pod-security.kubernetes.io/enforce': 'restricted' });
      expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).to.deep.equal(
        new Set([undefined, namespace?.metadata.name]),
      );
    });

    it('run as a user that is not root, given as a number', () => {
      const rule = ({ pod: { securityContext } }: Workload) =>
        securityContext?.runAsNonRoot === true &&
        (securityContext.runAsUser ?? 0) > 0 &&
        (securityContext.runAsGroup ?? 0) > 0;
      expect(offenders(rule)).to.deep.equal([]);
      // Nothing below the pod takes it back.
      const own = (container: Container) => container.securityContext?.runAsUser === undefined;
      expect(containerOffenders(own)).to.deep.equal([]);
    });

    it('are of the user that the images are made for', () => {
      const rule = ({ pod: { securityContext } }: Workload) => securityContext?.runAsUser === 65532;
      expect(ours.filter((workload) => !rule(workload))).to.deep.equal([]);
    });

    it('are confined by the runtime’s seccomp profile', () => {
      const rule = ({ pod }: Workload) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault';
      expect(offenders(rule)).to.deep.equal([]);
    });

    it('cannot write to their root file system', () => {
      const rule = ({ securityContext }: Container) => securityContext?.readOnlyRootFilesystem === true;
      expect(containerOffenders(rule)).to.deep.equal([]);
    });

    it('have no capability and can gain none', () => {
      const rule = ({ securityContext }: Container) =>
        securityContext?.allowPrivilegeEscalation === false &&
        securityContext.privileged !== true &&
        securityContext.capabilities?.add === undefined &&
        JSON.stringify(securityContext.capabilities?.drop) === '["ALL"]';
      expect(containerOffenders(rule)).to.deep.equal([]);
    });

    it('share nothing with their node', () => {
      const rule = ({ pod }: Workload) =>
        pod.hostNetwork !== true &&
        pod.hostPID !== true &&
        pod.hostIPC !== true &&
        (pod.volumes ?? []).every(({ hostPath }) => hostPath === undefined);
      expect(offenders(rule)).to.deep.equal([]);
      const ports = (container: Container) =>
        (container.ports ?? []).every(({ hostPort }) => hostPort === undefined);
      expect(containerOffenders(ports)).to.deep.equal([]);
    });

    it('hold no token for the Kubernetes API, and no list of its services', () => {
      const rule = ({ pod }: Workload) =>
        pod.automountServiceAccountToken === false && pod.enableServiceLinks === false;
      expect(offenders(rule)).to.deep.equal([]);
      for (const account of ofKind(manifests, 'ServiceAccount')) {
        expect(account.automountServiceAccountToken, account.metadata.name).to.equal(false);
      }
    });

    it('of each service have a service account of their own, so that no right is shared', () => {
      expect(services.map(({ pod }) => pod.serviceAccountName)).to.deep.equal(
        services.map(({ name }) => name),
      );
      const accounts = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
      const used = ours.map(({ pod }) => pod.serviceAccountName);
      expect(new Set(accounts)).to.deep.equal(new Set(used));
    });

    it('ask for processor and memory, and are limited in both', () => {
      const rule = ({ resources }: Container) =>
        (['cpu', 'memory'] as const).every(
          (name) =>
            quantity(resources?.requests?.[name]) > 0 &&
            quantity(resources?.limits?.[name]) >= quantity(resources?.requests?.[name]),
        );
      expect(containerOffenders(rule)).to.deep.equal([]);
    });

    it('limit the volumes that lie in memory or on the node’s disk', () => {
      const rule = ({ pod }: Workload) =>
        (pod.volumes ?? []).every(
          ({ emptyDir }) => emptyDir === undefined || emptyDir.sizeLimit !== undefined,
        );
      expect(offenders(rule)).to.deep.equal([]);
    });

    it('are of images with a version, which is not `latest`', () => {
      const rule = ({ image = '' }: Container) =>
        /^[^:@]+(:\d+)?\/[^:@]+(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image);
      expect(containerOffenders(rule)).to.deep.equal([]);
      for (const { name, containers } of services) {
        for (const { image } of containers) expect(image).to.match(new RegExp(`/glovebox/${name}[:@]`));
      }
    });

    it('say whether they live and whether they can serve, if they serve', () => {
      const serving = workloads.filter((workload) => !runsToItsEnd(workload));
      const wrong = serving.filter((workload) => {
        const { livenessProbe, readinessProbe } = mainContainer(workload);
        return livenessProbe === undefined || readinessProbe === undefined;
      });
      expect(wrong.map(({ name }) => name)).to.deep.equal([]);
    });

    it('of the services are asked over HTTP, since the kubelet has no certificate: /livez for life, /readyz for readiness', () => {
      for (const service of services) {
        const { livenessProbe, readinessProbe, startupProbe } = mainContainer(service);
        const alive = { httpGet: { path: '/livez', port: 'metrics' } };
        expect(livenessProbe, service.name).to.deep.include(alive);
        expect(startupProbe, service.name).to.deep.include(alive);
        expect(readinessProbe, service.name).to.deep.include({
          httpGet: { path: '/readyz', port: 'metrics' },
        });
      }
    });

    it('are given a minute to start, and half a minute before they count as dead', () => {
      for (const service of services) {
        const { livenessProbe, startupProbe } = mainContainer(service);
        const seconds = (probe: typeof livenessProbe) =>
          (probe?.periodSeconds ?? 10) * (probe?.failureThreshold ?? 3);
        expect(seconds(startupProbe), service.name).to.be.at.least(60);
        expect(seconds(livenessProbe), service.name).to.be.at.least(30);
      }
    });

    it('have the time to end that their own setting gives them, and a margin', () => {
      for (const { pod, name, ...workload } of services) {
        const container = mainContainer({ pod, name, ...workload });
        const times = ['DRAIN_DELAY_MS', 'SHUTDOWN_TIMEOUT_MS'].map((name) =>
          Number(literal(container, name) ?? 0),
        );
        const needed = times.reduce((sum, ms) => sum + ms, 0) / 1000;
        expect(pod.terminationGracePeriodSeconds, name).to.be.at.least(needed + 5);
      }
    });

    it('behind a Service wait before they end, until no requests reach them', () => {
      const http = services.filter((service) =>
        mainContainer(service).ports?.some(({ name }) => name === 'http'),
      );
      expect(http.map(({ name }) => name).sort()).to.deep.equal(['control-api', 'proxy-gateway']);
      for (const service of http) {
        expect(Number(literal(mainContainer(service), 'DRAIN_DELAY_MS')), service.name).to.be.at.least(5000);
      }
    });

    it('of the services start the program of their image, with a heap below the limit on memory', () => {
      for (const service of services) {
        const { args = [], command, resources } = mainContainer(service);
        expect(command, service.name).to.equal(undefined);
        const heap = Number(/^--max-old-space-size=(\d+)$/.exec(args[0] ?? '')?.[1]);
        expect(heap * 2 ** 20, service.name).to.be.at.most(quantity(resources?.limits?.['memory']) * 0.75);
        expect(args[1]).to.equal(`services/${service.name}/dist/main.js`);
      }
    });

    it('of the gateway have memory for all bodies that it may hold, twice for what is made of them, and for its heap', () => {
      const gateway = mainContainer(services.find(({ name }) => name === 'proxy-gateway')!);
      const heap = Number(/=(\d+)$/.exec(gateway.args?.[0] ?? '')?.[1]) * 2 ** 20;
      const bodies = Number(literal(gateway, 'MAX_HELD_BYTES'));
      expect(quantity(gateway.resources?.limits?.['memory'])).to.be.at.least(heap + 3 * bodies);
    });

    it('of the runner have memory for every worker process at once', () => {
      const runner = mainContainer(services.find(({ name }) => name === 'reactor-runner')!);
      const workers = Number(literal(runner, 'WORKERS'));
      const each = Number(literal(runner, 'WORKER_MEMORY_MB')) * 2 ** 20;
      // Of the runner itself: its heap, and beside it its program and the arguments that wait.
      const own = (512 + 384) * 2 ** 20;
      const asynchronous = Number(literal(runner, 'ASYNC_WORKERS'));
      // Half as many again serve code that runs alone.
      const all = Math.floor(workers * 1.5) + Math.floor(asynchronous * 1.5);
      // One more of both kinds is kept ready, and one checks code.
      expect(quantity(runner.resources?.limits?.['memory'])).to.be.at.least((all + 3) * each + own);
      expect(workers).to.be.at.most(quantity(runner.resources?.limits?.['cpu']));
    });

    it('of one service are not put on one node while another is free', () => {
      for (const { pod, name, labels } of services) {
        const keys = pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
        expect(keys, name).to.deep.equal(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
        for (const { labelSelector, maxSkew } of pod.topologySpreadConstraints ?? []) {
          expect(labels, name).to.include(labelSelector?.matchLabels ?? { nothing: 'at all' });
          expect(maxSkew).to.equal(1);
        }
      }
    });

    it('are replaced by new ones before old ones go', () => {
      for (const { manifest, name } of services) {
        const strategy = manifest.spec?.['strategy'];
        expect(strategy, name).to.deep.equal({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
        expect(manifest.spec?.['minReadySeconds'], name).to.be.greaterThan(0);
      }
    });
  });
}

function nameLabel(labels: Readonly<Record<string, string>>): string {
  return labels['app.kubernetes.io/name'] ?? '';
}
