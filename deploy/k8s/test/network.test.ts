import { classifyAddress } from '@glovebox/egress/address-policy';
import { expect } from 'chai';
import fc from 'fast-check';

import { overlays } from '../src/rendering.ts';
import { readManifests } from './harness/manifests.ts';
import { Network, type Peer, type Port } from './harness/network.ts';
import { workloadsOf } from './harness/workloads.ts';

const tcp = (port: number): Port => ({ protocol: 'TCP', port });
const dns: Port = { protocol: 'UDP', port: 53 };

const ports: Readonly<Record<string, Port>> = {
  'control-api http': tcp(8080),
  'proxy-gateway http': tcp(8081),
  vault: tcp(50_051),
  runner: tcp(50_052),
  postgres: tcp(5432),
  redis: tcp(6379),
  traces: tcp(4317),
  names: dns,
  https: tcp(443),
  'control-api metrics': tcp(9080),
  'proxy-gateway metrics': tcp(9081),
  'token-vault metrics': tcp(9464),
  'reactor-runner metrics': tcp(9465),
  'kubernetes api': tcp(6443),
  ssh: tcp(22),
};

/** Every arrow that there is, as `from -> to: port`, apart from those to names, which all pods have. */
const arrows = {
  both: [
    'edge -> control-api: control-api http',
    'edge -> proxy-gateway: proxy-gateway http',
    'control-api -> token-vault: vault',
    'control-api -> reactor-runner: runner',
    'proxy-gateway -> token-vault: vault',
    'proxy-gateway -> reactor-runner: runner',
    'reactor-runner -> token-vault: vault',
    'prometheus -> control-api: control-api metrics',
    'prometheus -> proxy-gateway: proxy-gateway metrics',
    'prometheus -> token-vault: token-vault metrics',
    'prometheus -> reactor-runner: reactor-runner metrics',
  ],
  dev: [
    'backup -> postgres-control: postgres',
    'backup -> postgres-vault: postgres',
    'control-api -> postgres-control: postgres',
    'control-api-migrations -> postgres-control: postgres',
    'token-vault -> postgres-vault: postgres',
    'token-vault-migrations -> postgres-vault: postgres',
    ...['control-api', 'proxy-gateway', 'reactor-runner', 'token-vault'].flatMap((service) => [
      `${service} -> redis: redis`,
      `${service} -> otel-collector: traces`,
    ]),
  ],
  prod: [
    'backup -> control’s database: postgres',
    'backup -> the vault’s database: postgres',
    'control-api -> control’s database: postgres',
    'control-api-migrations -> control’s database: postgres',
    'token-vault -> the vault’s database: postgres',
    'token-vault-migrations -> the vault’s database: postgres',
    ...['control-api', 'proxy-gateway', 'reactor-runner', 'token-vault'].flatMap((service) => [
      `${service} -> redis outside: redis`,
      `${service} -> prometheus: traces`,
    ]),
  ],
};

/** What has no port of its own and may be reached on any: public addresses, by the two that call for tenants. */
const anyPort = ['proxy-gateway', 'reactor-runner'].flatMap((service) =>
  ['a public address', 'a public IPv6 address'].flatMap((target) =>
    Object.entries(ports)
      .filter(([, { protocol }]) => protocol === 'TCP')
      .map(([name]) => `${service} -> ${target}: ${name}`),
  ),
);

const foreign = (
  name: string,
  namespace: Record<string, string>,
  pod: Record<string, string> = {},
): Peer => ({
  name,
  namespace,
  pod,
  home: false,
});

const outside: readonly Peer[] = [
  foreign('edge', { 'glovebox/edge': 'true' }),
  foreign('prometheus', { 'glovebox/monitoring': 'true' }),
  foreign('dns', { 'kubernetes.io/metadata.name': 'kube-system' }, { 'k8s-app': 'kube-dns' }),
  foreign('something else in kube-system', { 'kubernetes.io/metadata.name': 'kube-system' }),
  foreign('another team’s pod', { 'kubernetes.io/metadata.name': 'other' }),
  // Its labels are those of a service, but it is in another namespace.
  foreign(
    'an impostor',
    { 'kubernetes.io/metadata.name': 'other' },
    { 'app.kubernetes.io/name': 'proxy-gateway' },
  ),
  { name: 'a public address', address: '93.184.215.14' },
  { name: 'a public IPv6 address', address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c' },
  { name: 'the metadata service', address: '169.254.169.254' },
  { name: 'Azure’s metadata service', address: '168.63.129.16' },
  { name: 'a node', address: '192.168.1.10' },
  { name: 'a private address', address: '10.0.0.1' },
  { name: 'a unique local address', address: 'fd00:ec2::254' },
  { name: 'control’s database', address: '10.90.1.5' },
  { name: 'the vault’s database', address: '10.90.2.5' },
  { name: 'redis outside', address: '10.90.3.5' },
];

for (const overlay of overlays) {
  describe(`the network of ${overlay}`, () => {
    const manifests = readManifests(overlay);
    const network = new Network(manifests);
    const inside = workloadsOf(manifests).map(({ name, labels }): Peer => ({
      name,
      namespace: { 'kubernetes.io/metadata.name': 'glovebox' },
      pod: labels,
      home: true,
    }));
    const stranger: Peer = {
      name: 'a new pod in the namespace',
      namespace: { 'kubernetes.io/metadata.name': 'glovebox' },
      pod: { 'app.kubernetes.io/name': 'new' },
      home: true,
    };
    const everybody = [...inside, stranger, ...outside];
    const isInside = (peer: Peer) => 'home' in peer && peer.home;

    it('has the arrows of the design, and no other between any two, on any port', () => {
      const found: string[] = [];
      for (const from of everybody) {
        for (const to of everybody) {
          if (from === to || !(isInside(from) || isInside(to))) continue;
          for (const [name, port] of Object.entries(ports)) {
            if (network.allows(from, to, port)) found.push(`${from.name} -> ${to.name}: ${name}`);
          }
        }
      }
      const names = [...inside, stranger].map(({ name }) => `${name} -> dns: names`);
      const expected = [...arrows.both, ...arrows[overlay], ...anyPort, ...names];
      expect(found.sort()).to.deep.equal(expected.sort());
    });

    it('denies by default: a pod that no policy names has no connections in or out', () => {
      for (const peer of everybody) {
        if (peer === stranger || peer.name === 'dns') continue;
        for (const port of Object.values(ports)) {
          expect(network.allows(stranger, peer, port), `to ${peer.name}`).to.equal(false);
          expect(network.allows(peer, stranger, port), `from ${peer.name}`).to.equal(false);
        }
      }
    });

    it('lets what tenants name reach no address that packages/egress refuses', () => {
      const runner = inside.find(({ name }) => name === 'reactor-runner')!;
      const blocks = [10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 240, 255, 0];
      const address = fc.oneof(
        fc.ipV4(),
        fc
          .tuple(fc.constantFrom(...blocks), fc.nat(255), fc.nat(255), fc.nat(255))
          .map((parts) => parts.join('.')),
        fc.ipV6(),
        fc
          .tuple(
            fc.constantFrom('2001', '2002', '2003', '3fff', 'fd00', 'fe80', '64:ff9b'),
            fc.nat(0xffff),
            fc.nat(0xffff),
          )
          .map(([start, a, b]) => `${start}:${a.toString(16)}::${b.toString(16)}`),
      );
      const property = fc.property(address, (text) => {
        const dialled = network.allows(runner, { name: text, address: text }, tcp(443));
        return !dialled || classifyAddress(text) === 'allow-public' || isOwnStore(text, overlay);
      });
      fc.assert(property, { numRuns: 5000 });
    });

    it('lets them reach every address that is known to be public', () => {
      const gateway = inside.find(({ name }) => name === 'proxy-gateway')!;
      const property = fc.property(fc.ipV4(), (text) => {
        const isPublic = classifyAddress(text) === 'allow-public';
        return !isPublic || network.allows(gateway, { name: text, address: text }, tcp(443));
      });
      fc.assert(property, { numRuns: 2000 });
    });
  });
}

function isOwnStore(address: string, overlay: string): boolean {
  return overlay === 'prod' && address.startsWith('10.90.3.');
}
