import { BlockList, isIPv6 } from 'node:net';

import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';

import { type Labels, type Manifest, type Selector, ofKind, selects } from './manifests.ts';

/** One end of a connection: a pod, or an address outside of the cluster. */
export type Peer =
  | { readonly name: string; readonly namespace: Labels; readonly pod: Labels; readonly home: boolean }
  | { readonly name: string; readonly address: string };

export interface Port {
  readonly protocol: 'TCP' | 'UDP';
  readonly port: number;
}

type Spec = NonNullable<INetworkPolicy['spec']>;
type Rule = NonNullable<Spec['egress']>[number];
type PeerRule = NonNullable<Rule['to']>[number];
type PortRule = NonNullable<Rule['ports']>[number];

/**
 * Decides as a network plug-in does (Kubernetes, "Network Policies"): policies that select a pod add up, what none of them
 * allows is denied, and a pod that none selects is free. A connection needs the leave of both ends; of an end outside
 * of our namespace nothing is known, so it has it.
 */
export class Network {
  readonly #policies: readonly Spec[];

  constructor(manifests: readonly Manifest[]) {
    this.#policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as unknown as Spec);
  }

  allows(from: Peer, to: Peer, port: Port): boolean {
    return this.#mayLeave(from, to, port) && this.#mayEnter(from, to, port);
  }

  #mayLeave(from: Peer, to: Peer, port: Port): boolean {
    const policies = this.#policiesOf(from, 'Egress');
    if (policies.length === 0) return true;
    const rules = policies.flatMap(({ egress = [] }) => egress);
    return rules.some((rule) => covers(rule.ports, port) && includes(rule.to, to));
  }

  #mayEnter(from: Peer, to: Peer, port: Port): boolean {
    const policies = this.#policiesOf(to, 'Ingress');
    if (policies.length === 0) return true;
    const rules = policies.flatMap(({ ingress = [] }) => ingress);
    return rules.some((rule) => covers(rule.ports, port) && includes(rule.from, from));
  }

  #policiesOf(peer: Peer, type: 'Egress' | 'Ingress'): readonly Spec[] {
    if ('address' in peer || !peer.home) return [];
    return this.#policies.filter(
      ({ podSelector, policyTypes }) =>
        policyTypes?.includes(type) && selects((podSelector ?? {}) as Selector, peer.pod),
    );
  }
}

function covers(rules: readonly PortRule[] | undefined, { protocol, port }: Port): boolean {
  if (rules === undefined) return true;
  return rules.some(({ protocol: ofRule = 'TCP', port: first, endPort }) => {
    if (typeof first === 'string') throw new Error('ports by name are not understood here');
    const last = endPort ?? first ?? 65_535;
    return ofRule === protocol && port >= (first ?? 0) && port <= last;
  });
}

function includes(rules: readonly PeerRule[] | undefined, peer: Peer): boolean {
  if (rules === undefined) return true;
  return rules.some((rule) => {
    if (rule.ipBlock !== undefined) {
      if (!('address' in peer)) return false;
      const { cidr, except = [] } = rule.ipBlock;
      return inBlock(cidr, peer.address) && !except.some((block) => inBlock(block, peer.address));
    }
    if ('address' in peer) return false;
    const namespace =
      rule.namespaceSelector === undefined ? peer.home : selects(rule.namespaceSelector, peer.namespace);
    return namespace && selects(rule.podSelector ?? {}, peer.pod);
  });
}

function inBlock(cidr: string, address: string): boolean {
  const [net = '', bits = ''] = cidr.split('/');
  const family = isIPv6(net) ? 'ipv6' : 'ipv4';
  if (family !== (isIPv6(address) ? 'ipv6' : 'ipv4')) return false;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return list.check(address, family);
}
