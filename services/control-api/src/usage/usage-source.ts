/** What is counted of a tenant's tokens. */
export interface Usage {
  readonly types: readonly TypeUsage[];
  /** Months in which tokens were active, the latest first. */
  readonly months: readonly MonthUsage[];
}

export interface TypeUsage {
  readonly type: string;
  readonly count: number;
  readonly lastCreatedAt: Date;
}

/** In UTC. */
export interface MonthUsage {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly activeTokens: number;
}

/** What counts tokens: the vault. This service learns numbers, and nothing of any token. */
export interface UsageSource {
  /** @throws AppError `unavailable` */
  usageOf(tenantId: string, correlationId: string): Promise<Usage>;
}
