import { parseDocument } from 'yaml';

import { CliError, messageOf } from '../terminal/cli-error.ts';

/** YAML 1.2 of strings, numbers, booleans, null, lists and maps. Anchors work; an alias bomb is refused. @throws CliError */
export function parseYaml(text: string, path: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true, stringKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw new CliError(`${path}: ${problem.message.trim()}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CliError(`${path}: ${messageOf(error)}`);
  }
}
