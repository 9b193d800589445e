export type Environment = Readonly<Record<string, string | undefined>>;

/** Notes a problem of the configuration. Its text must not repeat a secret. */
export type NoteProblem = (text: string) => void;

/** An environment variable, as docs/settings.md shows it. */
export interface SettingDescription {
  readonly name: string;
  /** In Markdown. */
  readonly meaning: string;
  /** Empty where absence is a value of its own; undefined when the setting is required. */
  readonly default: string | number | undefined;
  /** Completes `required`, e.g. `for aws-kms`, where another setting decides. */
  readonly requiredWhen?: string;
  readonly range?: { readonly min: number; readonly max: number };
}

/** What is read from one environment variable, or from several that belong together. */
export class Setting<T> {
  readonly descriptions: readonly SettingDescription[];
  readonly read: (env: Environment, problem: NoteProblem) => T;

  constructor(
    descriptions: readonly SettingDescription[],
    read: (env: Environment, problem: NoteProblem) => T,
  ) {
    this.descriptions = descriptions;
    this.read = read;
  }
}

/** The values of a declaration: an object of settings, objects of settings, and constants, which are read as they are. */
export type SettingsOf<Declaration> =
  Declaration extends Setting<infer T>
    ? T
    : Declaration extends object
      ? { readonly [Name in keyof Declaration]: SettingsOf<Declaration[Name]> }
      : Declaration;

export function readDeclared<Declaration>(
  declaration: Declaration,
  env: Environment,
  problem: NoteProblem,
): SettingsOf<Declaration>;
export function readDeclared(declaration: unknown, env: Environment, problem: NoteProblem): unknown {
  if (declaration instanceof Setting) return declaration.read(env, problem);
  if (typeof declaration !== 'object' || declaration === null) return declaration;
  return Object.fromEntries(
    Object.entries(declaration).map(([name, inner]) => [name, readDeclared(inner, env, problem)]),
  );
}

/** All settings of a declaration, in its order. */
export function describeSettings(declaration: unknown): readonly SettingDescription[] {
  if (declaration instanceof Setting) return declaration.descriptions;
  if (typeof declaration !== 'object' || declaration === null) return [];
  return Object.values(declaration).flatMap(describeSettings);
}

/** Settings that are checked together, or that become something else. */
export function derived<Declaration, T>(
  declaration: Declaration,
  derive: (values: SettingsOf<Declaration>, problem: NoteProblem) => T,
): Setting<T> {
  return new Setting(describeSettings(declaration), (env, problem) =>
    derive(readDeclared(declaration, env, problem), problem),
  );
}
