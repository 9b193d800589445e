import { domainToASCII } from 'node:url';

import { type Json, type JsonObject, isObject } from '../api/json.ts';
import type { Kind } from '../files/kinds.ts';

/** What answers have and requests have not, or what says nothing: never compared. */
const ofTheService = [
  'id',
  'tenant_id',
  'name',
  'key',
  'keys',
  'state',
  'expires_at',
  'created_by',
  'created_at',
  'modified_by',
  'modified_at',
];
const alsoOfTheService: Readonly<Record<Kind, readonly string[]>> = {
  applications: [],
  formulas: ['status', 'type'],
  proxies: ['application_id'],
  reactors: [],
  webhooks: ['secret'],
};

/** What the service answers where a request leaves it out. */
const defaults: JsonObject = {
  permissions: [],
  rules: [],
  can_create_expiring_applications: false,
  configuration: {},
  request_parameters: [],
  require_auth: true,
  disable_detokenization: false,
  limits: {},
  request_transforms: [],
  response_transforms: [],
  request_transform: {},
  response_transform: {},
  notify_email: '',
  description: '',
  icon: '',
  destination_tls: {},
};
const defaultsOf: Readonly<Record<Kind, JsonObject>> = {
  applications: defaults,
  formulas: { ...defaults, configuration: [] },
  proxies: defaults,
  reactors: defaults,
  webhooks: { ...defaults, status: 'enabled' },
};

/** Lists whose order says nothing. */
const sets = new Set(['permissions', 'events', 'destinations', 'allowed_destinations', 'pins']);

/**
 * A definition in the one form in which a file and an answer of the service can be compared. References are `{id}` or, until
 * there is an id, a name.
 */
export function normalise(kind: Kind, definition: JsonObject): JsonObject {
  const { application_id: applicationId, ...given } = definition;
  const merged =
    typeof applicationId === 'string' && applicationId !== '' && !isObject(given['application'])
      ? { ...given, application: { id: applicationId } }
      : given;
  const dropped = new Set([...ofTheService, ...alsoOfTheService[kind]]);
  const entries = Object.entries(merged)
    .filter(([name]) => !dropped.has(name))
    .map(([name, value]) => [name, member(kind, name, value)] as const)
    .filter(([name, value]) => value !== null && !equal(value, defaultsOf[kind][name] ?? null));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The egress policy with its defaults. */
export function normalisePolicy(policy: JsonObject): JsonObject {
  return {
    mode: policy['mode'] ?? null,
    destinations: tidy(policy['destinations'] ?? [], 'destinations'),
    ephemeral: policy['ephemeral'] ?? true,
  };
}

export function equal(a: Json, b: Json): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function member(kind: Kind, name: string, value: Json): Json {
  if ((name === 'application' || name === 'formula') && isObject(value)) {
    return 'id' in value ? { id: value['id'] ?? null } : value;
  }
  if (name === 'configuration' && kind !== 'formulas' && isObject(value)) return texts(value);
  if (name === 'destination_tls' && isObject(value)) return certificate(value);
  if (name === 'rules' && Array.isArray(value)) return rules(value);
  if (/^re(quest|sponse)_transforms?$/.test(name)) return transforms(value);
  if (kind === 'formulas' && name === 'request_parameters' && Array.isArray(value)) {
    return value.map((item) => (isObject(item) ? tidy({ optional: false, ...item }, '') : item));
  }
  return tidy(value, name);
}

/** Values of a configuration are text; YAML reads `30` and `true` as something else. */
function texts(values: JsonObject): Json {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isObject(value) || Array.isArray(value) ? value : String(value)]),
  );
}

/** A certificate has one key, so another key is another certificate, and the key needs no comparison. */
function certificate(tls: JsonObject): Json {
  const { client_key: _key, has_client_key: _has, not_after: _end, ...shown } = tls;
  return tidy(
    Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value,
      ]),
    ),
    '',
  );
}

function rules(list: Json[]): Json {
  const tidied = list.map((rule) => tidy(rule, 'rule'));
  return tidied.toSorted((a, b) => priority(a) - priority(b));
}

function priority(rule: Json): number {
  return isObject(rule) ? Number(rule['priority']) : 0;
}

function transforms(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => transforms(item));
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  return tidy(type === 'code' || type === undefined ? rest : value, '');
}

/** Without nulls; sets in order; paths of containers and hosts in lower case, as the service keeps them. */
function tidy(value: Json, name: string): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => tidy(item, name === 'destinations' ? 'host' : name));
    return sets.has(name) ? [...new Set(items.map(String))].toSorted() : items;
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== null)
        .map(([inner, content]) => [inner, tidy(content, inner)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (name === 'container') return value.toLowerCase();
  return name === 'host' || name === 'allowed_destinations' ? hostOf(value) : value;
}

/** A host pattern as the service keeps it: in lower case, by IDNA, without the usual port. */
function hostOf(pattern: string): string {
  const [, wildcard = '', host = '', port = ''] = /^(\*\.)?([^:]*)(:\d+)?$/.exec(pattern) ?? [];
  const ascii = domainToASCII(host);
  return ascii === '' ? pattern : `${wildcard}${ascii}${port === ':443' ? '' : port}`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}
