import { type JsonObject, plainText } from '../api/json.ts';
import { type Kind, kindFacts } from '../files/kinds.ts';
import { CliError } from '../terminal/cli-error.ts';

/**
 * The resource of a name; names identify.
 * @param marked the id under which it was applied, which decides if several have the name
 * @throws CliError if several have the name
 */
export function findByName(
  kind: Kind,
  all: readonly JsonObject[],
  name: string,
  marked?: string,
): JsonObject | undefined {
  const named = all.filter((one) => one['name'] === name);
  const chosen = named.length > 1 ? named.filter(({ id }) => id === marked) : named;
  if (named.length > 1 && chosen.length !== 1) {
    throw new CliError(
      `${kind}.${name}: ${named.length} ${kind} have this name; rename or delete all but one`,
    );
  }
  return chosen[0];
}

/** The id of a resource by its name or its id. @throws CliError */
export function idOf(kind: Kind, all: readonly JsonObject[], name: string): string {
  const found = all.find(({ id }) => id === name) ?? findByName(kind, all, name);
  if (found === undefined) throw new CliError(`there is no ${kindFacts[kind].one} ${name}`);
  return plainText(found['id']);
}
