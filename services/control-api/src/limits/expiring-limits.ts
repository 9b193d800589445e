/** Of applications that expire; docs/settings.md. */
export interface ExpiringLimits {
  /** Live ones that one application has made. */
  readonly perCreator: number;
  /** Of the rules of one, in characters of JSON: every vault that meets its key keeps them in memory. */
  readonly rulesLength: number;
}
