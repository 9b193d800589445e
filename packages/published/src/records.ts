import { type HolderType, applicationTypes } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { compileGrants } from '@glovebox/access/rules';
import type { UseLimits } from '@glovebox/access/use-limits';
import {
  type DeclaredSetting,
  type EgressPolicy,
  Proxy,
  type PublishedRecord,
  type Reactor,
  type RequestParameter,
  type UseLimits as PublishedUseLimits,
  type Webhooks,
} from '@glovebox/protos/published/v1/published';

import { type DeclaredType, declaredTypes } from './declared-type.ts';
import { storedRule } from './published-rule.ts';
import type { Share } from './rollout-choice.ts';
import { type TenantEgress, readTenantEgress } from './tenant-egress.ts';

/** A proxy as the data plane acts on it (contract/proxies.md#proxy-object). */
export interface ProxyRecord extends Readonly<Proxy> {
  readonly version: number;
}

/** A second version, and its share of requests (contract/rollouts.md#who-gets-which-version). */
interface RolloutRecord extends Share {
  readonly version: number;
  /** Of its figures. */
  readonly id: string;
  /** It serves no new request, and is known for requests that began before. */
  readonly ended: boolean;
  /** Of 100: the share of requests that the version is tried on. Absent: it serves a share of them. */
  readonly shadowPercent?: number | undefined;
}

export interface ProxyRolloutRecord extends RolloutRecord {
  readonly proxy: ProxyRecord;
}

/** Every field of a published proxy, with its default. */
export const emptyProxy: Readonly<Proxy> = Proxy.decode(new Uint8Array());

/** An application or session, ready for decisions. */
export interface ApplicationRecord {
  readonly version: number;
  readonly principal: Principal;
  /** As the tenant calls it; absent for a session. */
  readonly name?: string;
  /** When an expiring application ends, in milliseconds since the epoch; of no other. */
  readonly expiresAt?: number;
  /** The application that made an expiring one; of no other. */
  readonly madeBy?: string;
  /** Of a session alone. */
  readonly session?: SessionTerms;
}

/** When a session ends, at the latest. */
export interface SessionTerms {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The applications that made and authorized it: it ends with any of them. */
  readonly originIds: readonly string[];
}

/** The tenant of a proxy. */
export interface ProxyReferenceRecord {
  readonly version: number;
  readonly id: string;
  readonly tenantId: string;
}

/** The webhooks of a tenant. */
export interface WebhooksRecord extends Readonly<Webhooks> {
  readonly version: number;
}

export interface TenantRecord {
  readonly version: number;
  readonly id: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Where requests on its behalf may go; absent: wherever the operator allows. */
  readonly egressPolicy?: Readonly<EgressPolicy>;
  /** The same, ready for decisions; absent while it is off. */
  readonly egress?: TenantEgress;
}

/**
 * A reactor with what its formula says, as the data plane acts on it (contract/reactors.md#reactor-object and
 * contract/reactors.md#formulas).
 */
export interface ReactorRecord extends Readonly<
  Omit<Reactor, 'declaredConfiguration' | 'requestParameters'>
> {
  readonly version: number;
  readonly declaredConfiguration: readonly Typed<DeclaredSetting>[];
  readonly requestParameters: readonly Typed<RequestParameter>[];
}

export interface ReactorRolloutRecord extends RolloutRecord {
  /** Its own version is a number that no present one has. */
  readonly reactor: ReactorRecord;
  /** The version as the API shows it. */
  readonly shownVersion: number;
  /** By so much the version of the present record is more than what the API shows. */
  readonly formulaChanges: number;
}

type Typed<T> = Readonly<Omit<T, 'type'>> & { readonly type: DeclaredType };

/** Undefined for a tombstone. @throws Error for a record of another kind */
export function readProxy({ version, record }: PublishedRecord): ProxyRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'proxy') throw new Error('the record is not a proxy');
  const { destinationTls } = record.value;
  if (destinationTls === undefined) return { ...record.value, version };
  return { ...record.value, destinationUrl: destinationTls.destinationUrl, version };
}

export function readProxyRollout({ version, record }: PublishedRecord): ProxyRolloutRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'proxyRollout') throw new Error('the record is not a rollout of a proxy');
  const { id, percent, header, ended, shadowPercent, proxyVersion, proxy: value } = record.value;
  if (value === undefined) throw new Error('the rollout has no proxy');
  const proxy = readProxy({ version: proxyVersion, record: { $case: 'proxy', value } });
  return proxy && { version, id, percent, header, ended, shadowPercent, proxy };
}

export function readProxyReference({ version, record }: PublishedRecord): ProxyReferenceRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'proxyReference') throw new Error('the record is not a reference to a proxy');
  return { ...record.value, version };
}

export function readApplication({ version, record }: PublishedRecord): ApplicationRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'application') throw new Error('the record is not an application');
  const { id, tenantId, type, permissions, rules, session, name, expiresAt, limits, madeBy } = record.value;
  const applicationType = holderTypes.find((known) => known === type);
  if (applicationType === undefined) throw new Error('the application is of an unknown type');
  if ((applicationType === 'session') !== (session !== undefined)) throw new Error('a session has terms');
  if ((applicationType === 'expiring') !== (expiresAt !== undefined))
    throw new Error('an expiring application says when it ends');
  const grants = compileGrants(permissions, rules.map(storedRule));
  const useLimits = readUseLimits(id, limits);
  const principal = {
    tenantId,
    applicationId: id,
    applicationType,
    grants,
    ...(useLimits === undefined ? {} : { useLimits: [useLimits] }),
  };
  return {
    version,
    principal,
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(madeBy === undefined ? {} : { madeBy }),
    ...(session === undefined ? {} : { session }),
  };
}

/** Undefined: any number. */
function readUseLimits(
  applicationId: string,
  { usesPerHour = 0, distinctTokensPerHour = 0 }: Partial<PublishedUseLimits> = {},
): UseLimits | undefined {
  if (usesPerHour === 0 && distinctTokensPerHour === 0) return undefined;
  return {
    applicationId,
    ...(usesPerHour === 0 ? {} : { usesPerHour }),
    ...(distinctTokensPerHour === 0 ? {} : { distinctTokensPerHour }),
  };
}

const holderTypes: readonly HolderType[] = [...applicationTypes, 'session'];

export function readTenant({ version, record }: PublishedRecord): TenantRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'tenant') throw new Error('the record is not a tenant');
  const { id, settings, egressPolicy } = record.value;
  if (egressPolicy === undefined) return { version, id, settings };
  const egress = readTenantEgress(egressPolicy);
  return { version, id, settings, egressPolicy, ...(egress === undefined ? {} : { egress }) };
}

export function readWebhooks({ version, record }: PublishedRecord): WebhooksRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'webhooks') throw new Error('the record is not a list of webhooks');
  return { ...record.value, version };
}

export function readReactor({ version, record }: PublishedRecord): ReactorRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'reactor') throw new Error('the record is not a reactor');
  const { declaredConfiguration, requestParameters } = record.value;
  return {
    ...record.value,
    version,
    declaredConfiguration: declaredConfiguration.map(typed),
    requestParameters: requestParameters.map(typed),
  };
}

export function readReactorRollout({ version, record }: PublishedRecord): ReactorRolloutRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'reactorRollout') throw new Error('the record is not a rollout of a reactor');
  const { id, percent, header, ended, shadowPercent, formulaChanges, ...second } = record.value;
  if (second.reactor === undefined) throw new Error('the rollout has no reactor');
  const own = { $case: 'reactor', value: second.reactor } as const;
  const reactor = readReactor({ version: second.reactorVersion, record: own });
  const shownVersion = second.version;
  return (
    reactor && { version, id, percent, header, ended, shadowPercent, formulaChanges, shownVersion, reactor }
  );
}

function typed<T extends { readonly type: string }>(declaration: T): Typed<T> {
  const type = declaredTypes.find((known) => known === declaration.type);
  if (type === undefined) throw new Error('the formula declares an unknown type');
  return { ...declaration, type };
}
