import { ConfigError } from './config-error.ts';
import { type Environment, type SettingsOf, readDeclared } from './setting.ts';

/**
 * Reads all that is declared.
 * @throws ConfigError with every problem at once
 */
export function readSettings<Declaration>(
  declaration: Declaration,
  env: Environment,
): SettingsOf<Declaration> {
  const problems: string[] = [];
  const settings = readDeclared(declaration, env, (text) => void problems.push(text));
  if (problems.length > 0) throw new ConfigError(problems);
  Object.freeze(settings);
  return settings;
}
