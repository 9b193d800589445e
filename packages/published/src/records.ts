import { applicationTypes } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { compileGrants } from '@glovebox/access/rules';
import type { AccessRule, Proxy, PublishedRecord } from '@glovebox/protos/published/v1/published';

/** A proxy as the data plane acts on it (interface.md section 2.1). */
export interface ProxyRecord extends Readonly<Proxy> {
  readonly version: number;
}

/** The application that an API key belongs to, ready for decisions. */
export interface ApplicationRecord {
  readonly version: number;
  readonly principal: Principal;
}

export interface TenantRecord {
  readonly version: number;
  readonly id: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** undefined for a tombstone. A record of another kind under this name is refused by an Error. */
export function readProxy({ version, record }: PublishedRecord): ProxyRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'proxy') throw new Error('the record is no proxy');
  return { ...record.value, version };
}

export function readApplication({ version, record }: PublishedRecord): ApplicationRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'application') throw new Error('the record is no application');
  const { id, tenantId, type, permissions, rules } = record.value;
  const applicationType = applicationTypes.find((known) => known === type);
  if (applicationType === undefined) throw new Error('the application is of an unknown type');
  const grants = compileGrants(permissions, rules.map(storedRule));
  return { version, principal: { tenantId, applicationId: id, applicationType, grants } };
}

export function readTenant({ version, record }: PublishedRecord): TenantRecord | undefined {
  if (record?.$case === 'tombstone') return undefined;
  if (record?.$case !== 'tenant') throw new Error('the record is no tenant');
  return { version, id: record.value.id, settings: record.value.settings };
}

/** Protobuf has no absent string: a rule by container has no conditions, and the other way round. */
function storedRule(rule: AccessRule) {
  const { priority, transform, permissions } = rule;
  return rule.container === ''
    ? { priority, transform, permissions, conditions: rule.conditions }
    : { priority, transform, permissions, container: rule.container };
}
