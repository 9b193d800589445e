/** What says whether code can be stored: the runner, in whose processes alone tenants' code is touched. */
export interface Compiler {
  /** @throws AppError `unavailable` */
  check(
    code: string,
    of: { readonly tenantId: string; readonly correlationId: string },
  ): Promise<CheckedCode>;
}

export interface CheckedCode {
  /** All that is wrong with it, with line and column; empty when it parses. */
  readonly problems: readonly string[];
  /** Why it could not be run, though it parses; undefined when it loads. */
  readonly loading?: string | undefined;
  /** Nobody had the time to load it. */
  readonly untried?: boolean;
}
