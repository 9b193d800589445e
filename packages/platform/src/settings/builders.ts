import { Secret } from '../values/secret.ts';
import { type NoteProblem, Setting, type SettingDescription, derived } from './setting.ts';

/** A setting of one variable. An empty value counts as absent. */
function one<T>(
  description: SettingDescription,
  parse: (text: string | undefined, problem: NoteProblem) => T,
): Setting<T> {
  return new Setting([description], (env, problem) => parse(env[description.name] || undefined, problem));
}

/** Undefined when it is absent. @param requiredWhen for docs/settings.md alone */
export function optional(name: string, meaning: string, requiredWhen?: string): Setting<string | undefined> {
  const description = { name, meaning, default: '' };
  return one(requiredWhen === undefined ? description : { ...description, requiredWhen }, (text) => text);
}

/** Required unless there is a default. */
export function string(name: string, meaning: string, fallback?: string): Setting<string> {
  return one({ name, meaning, default: fallback }, (text = fallback, problem) => {
    if (text === undefined) problem(`${name} is required`);
    return text ?? '';
  });
}

/** @param rule completes the sentence that begins with the name, e.g. `must be a path` */
export function matching(setting: Setting<string>, pattern: RegExp, rule: string): Setting<string> {
  return derived(setting, (text, problem) => {
    if (text !== '' && !pattern.test(text)) problem(`${setting.descriptions[0]?.name} ${rule}`);
    return text;
  });
}

/** Comma-separated; empty when absent. */
export function list(name: string, meaning: string): Setting<readonly string[]> {
  return one({ name, meaning, default: '' }, (text = '') =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

export function secret(name: string, meaning: string): Setting<Secret<string>> {
  return derived(string(name, meaning), (text) => new Secret(text));
}

export function oneOf<const T extends string>(
  name: string,
  meaning: string,
  allowed: readonly [T, ...T[]],
  fallback: NoInfer<T>,
): Setting<T> {
  return one({ name, meaning, default: fallback }, (text = fallback, problem) => {
    const match = allowed.find((candidate) => candidate === text);
    if (match === undefined) problem(`${name} must be one of ${allowed.join(', ')}`);
    return match ?? fallback;
  });
}

export function flag(name: string, meaning: string, fallback: boolean): Setting<boolean> {
  const text = oneOf(name, meaning, ['true', 'false'], fallback ? 'true' : 'false');
  return derived(text, (value) => value === 'true');
}

export interface IntegerOptions {
  readonly default?: number;
  /** What docs/settings.md says where the default depends on the machine. */
  readonly shownDefault?: string;
  readonly min: number;
  readonly max: number;
}

/** Required unless there is a default. */
export function integer(name: string, meaning: string, options: IntegerOptions): Setting<number> {
  const { default: fallback, min, max } = options;
  const description = { name, meaning, default: options.shownDefault ?? fallback, range: { min, max } };
  return one(description, (text = fallback?.toString(), problem) => {
    const value = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    problem(
      text === undefined ? `${name} is required` : `${name} must be a whole number from ${min} to ${max}`,
    );
    return min;
  });
}

/** Name, meaning and bounds: for packages that declare settings and import nothing. */
export type IntegerTable<Name extends string> = Readonly<
  Record<Name, readonly [name: string, meaning: string, options: IntegerOptions]>
>;

export function integers<Name extends string>(
  table: IntegerTable<Name>,
): Readonly<Record<Name, Setting<number>>>;
export function integers(table: IntegerTable<string>): Readonly<Record<string, Setting<number>>> {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [name, integer(...row)]));
}

/** 0 takes a free one. */
export function port(name: string, meaning: string, fallback?: number): Setting<number> {
  const range = { min: 0, max: 65_535 };
  return integer(name, meaning, fallback === undefined ? range : { ...range, default: fallback });
}

/** A URL with one of the schemes. It is secret because it may hold a password. Required unless there is a default. */
export function url(
  name: string,
  meaning: string,
  schemes: readonly string[],
  fallback?: string,
): Setting<Secret<string>> {
  return derived(string(name, meaning, fallback), (text, problem) => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (text !== '' && !schemes.includes(scheme))
      problem(`${name} must be a URL that starts with ${schemes.map((each) => `${each}://`).join(' or ')}`);
    return new Secret(text);
  });
}

/** `host:port`. */
export function address(name: string, meaning: string): Setting<string> {
  const pattern = /^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/;
  return matching(string(name, meaning), pattern, 'must be an address of the form host:port');
}
