import { type AccessLimits, defaultAccessLimits } from '@glovebox/access/access-limits';

/** Of what a request may hold and an answer lists; docs/settings.md. */
export interface InputLimits extends SizeLimits {
  /** Of an application's permissions and rules. */
  readonly access: AccessLimits;
}

/** Lengths are in characters. */
export interface SizeLimits {
  readonly bodyBytes: number;
  /** Of all requests at once. */
  readonly heldBytes: number;
  /** Levels of objects and arrays in a body. */
  readonly bodyNesting: number;
  /** Of whatever has a name (contract/limits.md#field-bounds). */
  readonly nameLength: number;
  /** Of a formula; that of what it declares is as long as a rule's. */
  readonly formulaDescriptionLength: number;
  /** Of a formula, as a data URL. */
  readonly iconLength: number;
  /** Of a transform or a formula (contract/choices.md#length-of-code). */
  readonly codeLength: number;
  /** Entries of a configuration (contract/limits.md#field-bounds). */
  readonly settings: number;
  /** Of one of them. */
  readonly settingLength: number;
  /** Of each kind in a formula (contract/limits.md#field-bounds). */
  readonly declarations: number;
  /** Of one side of a proxy. */
  readonly transforms: number;
  /** Of what one makes or appends; as JSON where it is JSON. */
  readonly transformValueLength: number;
  /** By which other transforms name what one has made. */
  readonly identifierLength: number;
  /** Of the path to a place in a response. */
  readonly locationLength: number;
  /** Of the pattern of a mask. */
  readonly patternLength: number;
  /** Of an expression; longer ones are never evaluated. */
  readonly expressionLength: number;
  /** Of a proxy: the longest time until the destination's response begins (contract/proxies.md#proxy-object). */
  readonly timeoutSeconds: number;
  /** Of one application (contract/tenants.md#application-keys). */
  readonly keys: number;
  /** Of one tenant (contract/webhooks.md#webhook-object). */
  readonly webhooks: number;
  /** Entries of a tenant's settings. */
  readonly tenantSettings: number;
  readonly tenantSettingLength: number;
  /** Items of a page (contract/conventions.md#pagination), as the next two. */
  readonly pageSize: number;
  readonly memberPageSize: number;
  readonly logPageSize: number;
  /** Entries of the log among which pages have numbers: all before a page are read to find it. */
  readonly numberedLogs: number;
  readonly tokenIdLength: number;
}

export const defaultInputLimits: InputLimits = {
  bodyBytes: 2 * 1024 * 1024,
  heldBytes: 16 * 1024 * 1024,
  bodyNesting: 100,
  nameLength: 200,
  formulaDescriptionLength: 1000,
  iconLength: 50_000,
  codeLength: 50_000,
  settings: 25,
  settingLength: 16_384,
  declarations: 25,
  transforms: 10,
  transformValueLength: 50_000,
  identifierLength: 100,
  locationLength: 400,
  patternLength: 1000,
  expressionLength: 1024,
  timeoutSeconds: 30,
  keys: 3,
  webhooks: 5,
  tenantSettings: 50,
  tenantSettingLength: 500,
  pageSize: 100,
  memberPageSize: 50,
  logPageSize: 10_000,
  numberedLogs: 50_000,
  tokenIdLength: 400,
  access: defaultAccessLimits,
};

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
