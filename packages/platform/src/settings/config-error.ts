/** Every problem of a process's configuration at once; `message` is ready for the operator's terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  - ${problem}\n`).join('');
    super(`invalid configuration:\n${list}Every setting is explained in docs/settings.md.`);
    this.problems = problems;
  }
}
