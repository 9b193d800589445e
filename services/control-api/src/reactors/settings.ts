import { type DeclaredType, parseDeclared } from '@glovebox/published/declared-type';

import type { SettingDeclaration } from '../formulas/fields.ts';
import { type Problems, addProblems, pathOf } from '../http/shape.ts';
import type { InputLimits } from '../limits/input-limits.ts';
import type { Configuration } from '../secrets/sealer.ts';

const typeProblems: Readonly<Record<DeclaredType, string>> = {
  string: 'must be a string',
  boolean: 'must be a boolean, or true or false as a string',
  number: 'must be a number, or a decimal number as a string',
};

/**
 * The text of each value of a configuration that fits what the formula declares; counts only if there were no
 * problems. Names that the formula does not declare are kept: it may come to declare them. Null is no value.
 */
export function readSettings(
  limits: InputLimits,
  sent: Readonly<Record<string, unknown>>,
  declared: readonly SettingDeclaration[],
  problems: Problems,
): Configuration {
  const given = readEntries(limits, sent, declared, problems);
  requireDeclared(new Set(Object.keys(given)), declared, problems);
  return given;
}

/** The same for single entries, of which none is required. */
export function readEntries(
  limits: InputLimits,
  sent: Readonly<Record<string, unknown>>,
  declared: readonly SettingDeclaration[],
  problems: Problems,
): Configuration {
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  const texts: [name: string, text: string][] = [];
  for (const [name, value] of given) {
    const problem = problemOf(value, types.get(name), limits.settingLength);
    if (problem !== undefined) addProblems(problems, { [pathOf(['configuration', name])]: [problem] });
    // An object with a `toString` of its own has no text.
    texts.push([name, problem === undefined ? String(value) : '']);
  }
  return Object.fromEntries(texts);
}

/** Every declared setting must be in the configuration. */
export function requireDeclared(
  names: ReadonlySet<string>,
  declared: readonly SettingDeclaration[],
  problems: Problems,
): void {
  for (const { name } of declared) {
    if (!names.has(name)) addProblems(problems, { [pathOf(['configuration', name])]: ['is required'] });
  }
}

function problemOf(
  value: unknown,
  declared: DeclaredType | undefined,
  maxLength: number,
): string | undefined {
  const type = typeof value;
  const isPrimitive = type === 'string' || type === 'boolean' || type === 'number';
  if (!isPrimitive)
    return declared === undefined ? 'must be a string, boolean or number' : typeProblems[declared];
  const text = String(value);
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`;
  const fits = type === 'string' || type === (declared ?? type);
  const stands = parseDeclared(declared ?? type, text) !== undefined;
  return fits && stands ? undefined : typeProblems[declared ?? type];
}
