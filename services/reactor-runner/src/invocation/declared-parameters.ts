import type { DeclaredType } from '@glovebox/published/declared-type';

export interface Parameter {
  /** Dots lead into nested objects. */
  readonly name: string;
  readonly type: DeclaredType;
  readonly optional: boolean;
}

/** What a formula takes, made ready to be asked about names. */
export interface DeclaredParameters {
  readonly byName: ReadonlyMap<string, Parameter>;
  /** Names of objects that hold parameters: of `card.owner.name` these are `card` and `card.owner`. */
  readonly objects: ReadonlySet<string>;
}

export function declareParameters(parameters: readonly Parameter[]): DeclaredParameters {
  const objects = new Set<string>();
  for (const { name } of parameters) {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      objects.add(name.slice(0, dot));
    }
  }
  return { byName: new Map(parameters.map((parameter) => [parameter.name, parameter])), objects };
}
