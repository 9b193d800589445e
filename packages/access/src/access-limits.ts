/** What a request may hold of permissions, rules and containers. */
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
}

/** No operator can set more, in characters: an index of the database holds a container and the longest id beside it. */
export const longestContainer = 1000;

export const defaultAccessLimits: AccessLimits = {
  rules: 100,
  descriptionLength: 400,
  permissions: 50,
  conditions: 10,
  conditionValueLength: 400,
  containerLength: 400,
};
