import { JsonWalk } from '@glovebox/expressions/json-walk';
import { type FieldProblems, validationError } from '@glovebox/platform/errors/app-error';
import type { DeclaredType } from '@glovebox/published/declared-type';

import { castArgument } from './cast-argument.ts';

export interface Parameter {
  /** Dots lead into nested objects. */
  readonly name: string;
  readonly type: DeclaredType;
  readonly optional: boolean;
}

interface Declaration {
  readonly byName: ReadonlyMap<string, Parameter>;
  /** Names of objects that hold parameters: of `card.owner.name` these are `card` and `card.owner`. */
  readonly objects: ReadonlySet<string>;
}

/** What became of one value: its text unless it is wrong, the parameters that it holds, and the problems. */
interface Fitted {
  readonly json: string | undefined;
  readonly present: readonly string[];
  readonly problems: FieldProblems;
}

/**
 * Fits detokenized arguments to the parameters that the formula declares (contract/reactors.md#invocation, the argument rules):
 * removes what is not declared, casts what is, and requires what is not optional. A formula that declares nothing
 * gets everything (contract/choices.md#undeclared-arguments).
 *
 * @param json valid JSON text
 * @returns JSON text of an object, or of an array for a formula that declares nothing
 * @throws AppError `invalid_argument` with all problems, e.g. `{"args.card.number": ["is required"]}`
 */
export function fitArguments(parameters: readonly Parameter[], json: string): string {
  const declared = declarationOf(parameters);
  const given = new JsonWalk(json);
  const walk = given.kind === 'null' ? new JsonWalk('{}') : given;
  const { kind } = walk;
  if (declared.byName.size === 0) {
    if (kind !== 'object' && kind !== 'array')
      throw validationError({ args: ['must be an object or an array'] });
    return walk.value();
  }
  if (kind !== 'object') throw validationError({ args: ['must be an object'] });
  const { json: fitted, present, problems } = fitObject(declared, walk, '');
  const allProblems = { ...problems, ...missing(declared, present) };
  if (Object.keys(allProblems).length > 0) throw validationError(allProblems);
  return fitted;
}

function declarationOf(parameters: readonly Parameter[]): Declaration {
  const objects = new Set<string>();
  for (const { name } of parameters) {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      objects.add(name.slice(0, dot));
    }
  }
  return { byName: new Map(parameters.map((parameter) => [parameter.name, parameter])), objects };
}

/** @param prefix name of the object, with a dot behind it; empty for `args` itself */
function fitObject(
  declared: Declaration,
  walk: JsonWalk,
  prefix: string,
): Fitted & { readonly json: string } {
  // By name: JSON may hold a name twice, and the last one counts, as it does for the code.
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

/** Undefined for a member that is removed. */
function fitMember(declared: Declaration, walk: JsonWalk, name: string): Fitted | undefined {
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
function missing({ byName }: Declaration, present: readonly string[]): FieldProblems {
  const found = new Set(present);
  const names = [...byName.values()].filter(({ name, optional }) => !optional && !found.has(name));
  return Object.fromEntries(names.map(({ name }) => [`args.${name}`, ['is required']]));
}

const typeProblems: Readonly<Record<DeclaredType, string>> = {
  string: 'must be a string',
  boolean: 'must be a boolean, or true or false as a string',
  number: 'must be a number, or a decimal number as a string',
};
