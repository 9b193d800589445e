import { JsonWalk } from '@glovebox/expressions/json-walk';
import { type FieldProblems, validationError } from '@glovebox/platform/errors/app-error';
import type { DeclaredType } from '@glovebox/published/declared-type';

import { castArgument } from './cast-argument.ts';
import type { DeclaredParameters, Parameter } from './declared-parameters.ts';

/** What became of one value: its text unless it is wrong, the parameters that it holds, and the problems. */
interface Fitted {
  readonly json: string | undefined;
  readonly present: readonly string[];
  readonly problems: FieldProblems;
}

/**
 * Has detokenized arguments fit what the formula declares (contract/reactors.md#invocation, the argument rules): what
 * is not declared is removed, what is declared is cast, and what is required has to be there. A formula that declares
 * nothing gets everything (contract/choices.md#undeclared-arguments).
 *
 * @param json valid JSON text
 * @returns JSON text of an object, or of an array for a formula that declares nothing
 * @throws AppError `invalid_argument` with everything that is wrong, e.g. `{"args.card.number": ["is required"]}`
 */
export function fitArguments(declared: DeclaredParameters, json: string): string {
  const walk = new JsonWalk(json);
  const { kind } = walk;
  if (kind === 'null') return fitArguments(declared, '{}');
  if (declared.byName.size === 0) {
    if (kind !== 'object' && kind !== 'array')
      throw validationError({ args: ['must be an object or an array'] });
    return walk.value();
  }
  if (kind !== 'object') throw validationError({ args: ['must be an object'] });
  const { json: fitted, present, problems } = fitObject(declared, walk, '');
  const everything = { ...problems, ...missing(declared, present) };
  if (Object.keys(everything).length > 0) throw validationError(everything);
  return fitted as string;
}

/** @param prefix name of the object, with a dot behind it; empty for `args` itself */
function fitObject(declared: DeclaredParameters, walk: JsonWalk, prefix: string): Fitted {
  // By name, since JSON may hold a name twice: the last one counts, as it will for the code.
  const members = new Map<string, Fitted>();
  walk.members((name) => {
    const fitted = fitMember(declared, walk, prefix + name);
    if (fitted === undefined) members.delete(name);
    else members.set(name, fitted);
  });
  const texts: string[] = [];
  const present: string[] = [];
  const problems: Record<string, readonly string[]> = {};
  for (const [name, fitted] of members) {
    if (fitted.json !== undefined) texts.push(`${JSON.stringify(name)}:${fitted.json}`);
    present.push(...fitted.present);
    Object.assign(problems, fitted.problems);
  }
  return { json: `{${texts.join(',')}}`, present, problems };
}

/** Undefined for what is removed. */
function fitMember(declared: DeclaredParameters, walk: JsonWalk, name: string): Fitted | undefined {
  if (declared.objects.has(name) && walk.kind === 'object') return fitObject(declared, walk, `${name}.`);
  const parameter = declared.byName.get(name);
  const { kind } = walk;
  const json = walk.value();
  if (parameter === undefined) return undefined;
  if (kind === 'null') return { json, present: [], problems: {} };
  return fitValue(parameter, json);
}

function fitValue({ name, type }: Parameter, json: string): Fitted {
  const cast = castArgument(type, json);
  if (cast !== undefined) return { json: cast, present: [name], problems: {} };
  return { json: undefined, present: [name], problems: { [`args.${name}`]: [typeProblems[type]] } };
}

/** Null is no value, here as in a reactor's configuration. */
function missing({ byName }: DeclaredParameters, present: readonly string[]): FieldProblems {
  const found = new Set(present);
  const names = [...byName.values()].filter(({ name, optional }) => !optional && !found.has(name));
  return Object.fromEntries(names.map(({ name }) => [`args.${name}`, ['is required']]));
}

const typeProblems: Readonly<Record<DeclaredType, string>> = {
  string: 'must be a string',
  boolean: 'must be a boolean, or true or false as a string',
  number: 'must be a number, or a decimal number as a string',
};
