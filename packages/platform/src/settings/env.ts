import { Secret } from '../values/secret.ts';

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

interface IntegerRange {
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

/**
 * Reads settings from an environment, notes each problem and goes on, so that `done()` can report all of them in
 * one go. An empty value counts as absent. Problems never repeat a secret's value.
 */
export class EnvReader {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  string(name: string, fallback?: string): string {
    const value = this.#env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback === undefined) this.problem(`${name} is required`);
    return fallback ?? '';
  }

  optional(name: string): string | undefined {
    const value = this.#env[name];
    return value === '' ? undefined : value;
  }

  /** Comma-separated; empty when absent. */
  list(name: string): string[] {
    const items = (this.optional(name) ?? '').split(',');
    return items.map((item) => item.trim()).filter((item) => item !== '');
  }

  secret(name: string): Secret<string> {
    return new Secret(this.string(name));
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback?: T): T {
    const value = this.string(name, fallback);
    const match = allowed.find((candidate) => candidate === value);
    if (match !== undefined) return match;
    if (value !== '') this.problem(`${name} must be one of ${allowed.join(', ')}`);
    return allowed[0] as T;
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  integer(name: string, range: IntegerRange = {}): number {
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
    const text = this.string(name, range.default?.toString());
    if (text === '') return min;
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problem(`${name} must be a whole number from ${min} to ${max}`);
    return min;
  }

  port(name: string, fallback?: number): number {
    return this.integer(name, {
      min: 0,
      max: 65_535,
      ...(fallback === undefined ? {} : { default: fallback }),
    });
  }

  /** A URL with one of the schemes, kept secret since it may hold a password. */
  url(name: string, schemes: readonly string[]): Secret<string> {
    const text = this.string(name);
    if (text !== '') {
      const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
      if (scheme === undefined || !schemes.includes(scheme)) {
        this.problem(`${name} must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
      }
    }
    return new Secret(text);
  }

  /** `host:port`. */
  address(name: string): string {
    const text = this.string(name);
    if (text !== '' && !/^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/.test(text)) {
      this.problem(`${name} must be an address of the form host:port`);
    }
    return text;
  }

  /** Notes a problem that only the caller can see, e.g. of two settings together. */
  problem(text: string): void {
    this.#problems.push(text);
  }

  /** @throws ConfigError when anything was wrong. */
  done<T extends object>(config: T): Readonly<T> {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
    return Object.freeze(config);
  }
}
