import { accessLimitSettings, accessLimits } from '@glovebox/access/access-limits';
import { integer, integers } from '@glovebox/platform/settings/builders';
import {
  bodyBytes,
  bodyNesting,
  codeLength,
  expressionLength,
  pageSize,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import { type SettingsOf, derived } from '@glovebox/platform/settings/setting';

const access = integers(accessLimitSettings);

/**
 * What a request may hold and an answer lists. Lengths are in characters. The numbers are promises of the API that no
 * installation needs otherwise.
 */
const sizes = {
  bodyBytes,
  /** Of all requests at once. */
  heldBytes: integer(
    'MAX_HELD_BYTES',
    'All bodies above 64 KiB at once, by their announced length; more are a 503. Parsed JSON takes ten times as much. At least `MAX_BODY_BYTES`',
    { default: 16_777_216, min: 1, max: 8_589_934_592 },
  ),
  bodyNesting,
  /** Of every name (contract/limits.md#field-bounds): also of an entry of a configuration, and of what a formula declares. */
  nameLength: 200,
  /** Of a formula; that of what it declares is as long as a rule's. */
  formulaDescriptionLength: 1000,
  /** Of a formula, as a data URL. */
  iconLength: 50_000,
  /** (contract/choices.md#length-of-code) */
  codeLength,
  /** Entries of a configuration (contract/limits.md#field-bounds); a formula can declare no more. */
  settings: 25,
  /** Of the value of an entry. */
  settingLength: 16_384,
  /** Of each kind in a formula (contract/limits.md#field-bounds). */
  declarations: 25,
  /** Of one side of a proxy; at most one of them is code. */
  transforms: 10,
  /** Of what one makes or appends; as JSON where it is JSON. */
  transformValueLength: 50_000,
  /** By which other transforms name what one has made. */
  identifierLength: 100,
  /** Of the path to a place in a response. */
  locationLength: 400,
  /** Of the pattern of a mask. */
  patternLength: 1000,
  /** Longer ones are never evaluated. */
  expressionLength,
  /** Until the destination's response begins (contract/proxies.md#proxy-object). The edge of deploy/k8s waits for five minutes. */
  timeoutSeconds: integer(
    'MAX_PROXY_TIMEOUT_SECONDS',
    'The longest `timeout` of a proxy; the shortest is one second. The load balancer before the gateway has to wait as long',
    { default: 30, min: 1, max: 240 },
  ),
  /** Of one application (contract/tenants.md#application-keys): enough to replace one while it is in use. */
  keys: 3,
  /** (contract/webhooks.md#webhook-object) */
  webhooks: integer('MAX_WEBHOOKS', 'Webhooks of one tenant; one more is a 422', {
    default: 5,
    min: 1,
    max: 100,
  }),
  /** Entries of a tenant's settings. */
  tenantSettings: 50,
  tenantSettingLength: 500,
  /** Items of a page (contract/conventions.md#pagination), as the next two. */
  pageSize,
  memberPageSize: 50,
  logPageSize: 10_000,
  /** Entries of the log among which pages have numbers: all before a page are read to find it. */
  numberedLogs: 50_000,
  tokenIdLength: access.tokenIdLength,
  /** Of an application's permissions and rules. */
  access: derived(access, accessLimits),
};

export const inputLimits = derived(sizes, (limits, problem) => {
  if (limits.heldBytes < limits.bodyBytes)
    problem('MAX_HELD_BYTES must be at least as much as MAX_BODY_BYTES');
  return limits;
});

export type InputLimits = SettingsOf<typeof inputLimits>;

export const defaultInputLimits: InputLimits = readSettings(inputLimits, {});

/** Makes once what depends on the limits alone. */
export function perLimits<Made extends object>(
  make: (limits: InputLimits) => Made,
): (limits: InputLimits) => Made {
  const made = new WeakMap<InputLimits, Made>();
  return (limits) => {
    const known = made.get(limits) ?? make(limits);
    made.set(limits, known);
    return known;
  };
}

/** Of applications that expire; docs/settings.md. */
export interface ExpiringLimits {
  /** Live ones that one application has made. */
  readonly perCreator: number;
  /** Of the rules of one, in characters of JSON: every vault that meets its key keeps them in memory. */
  readonly rulesLength: number;
}
