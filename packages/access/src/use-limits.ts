/** What an application may use in any 60 minutes (contract/tenants.md#use-limits). Absent: any number. */
export interface UseLimits {
  /** UUID. */
  readonly applicationId: string;
  readonly usesPerHour?: number;
  readonly distinctTokensPerHour?: number;
}

export const useLimitNames = ['uses_per_hour', 'distinct_tokens_per_hour'] as const;

/** The limits as the API names them. */
export type UseLimitName = (typeof useLimitNames)[number];
