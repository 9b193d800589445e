/** Limits of permissions, rules and containers in a request. */
export interface AccessLimits {
  /** Of one application or session: a decision may look at each of them. */
  readonly rules: number;
  /** Of a rule, in characters, as all lengths here. */
  readonly descriptionLength: number;
  /** In one list (contract/limits.md#field-bounds). */
  readonly permissions: number;
  /** Of one rule. */
  readonly conditions: number;
  /** Of the value of a condition: as long as a container or a token's id may be. */
  readonly conditionValueLength: number;
  readonly containerLength: number;
  /** Whether destinations may be on this machine: in development. */
  readonly localDestinations: boolean;
}

/** No operator can set more, in characters: an index of the database holds a container and the longest id beside it. */
export const longestContainer = 1000;

/** Of `IntegerTable` in packages/platform/src/settings: what an operator can set. */
export const accessLimitSettings = {
  rules: ['MAX_RULES', 'Rules of an application or a session', { default: 100, min: 1, max: 1000 }],
  containerLength: [
    'MAX_CONTAINER_LENGTH',
    'Length of a container. The default containers of all types have to fit; an index of Postgres holds no more beside an id',
    { default: 400, min: 32, max: longestContainer },
  ],
  tokenIdLength: [
    'MAX_TOKEN_ID_LENGTH',
    'Length of a new id, which has at least 3 characters; of a filter of the logs. Ids that the service makes have 36; an index of Postgres holds no more than twice 440',
    { default: 400, min: 36, max: 440 },
  ],
} as const;

export const defaultAccessLimits: AccessLimits = {
  rules: accessLimitSettings.rules[2].default,
  descriptionLength: 400,
  permissions: 50,
  conditions: 10,
  conditionValueLength: 400,
  containerLength: accessLimitSettings.containerLength[2].default,
  localDestinations: false,
};

/** The limits that an operator has set. A condition may name a container or a token. */
export function accessLimits(set: {
  readonly rules: number;
  readonly containerLength: number;
  readonly tokenIdLength: number;
}): AccessLimits {
  const { rules, containerLength, tokenIdLength } = set;
  const conditionValueLength = Math.max(containerLength, tokenIdLength);
  return { ...defaultAccessLimits, rules, containerLength, conditionValueLength };
}
