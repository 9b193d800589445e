/** What says whether code can be stored: the runner, in whose processes alone tenants' code is touched. */
export interface Compiler {
  /** All that is wrong with the code, with line and column; empty when it parses. @throws AppError `unavailable` */
  problemsOf(code: string, correlationId: string): Promise<readonly string[]>;
}
