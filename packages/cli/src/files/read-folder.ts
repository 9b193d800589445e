import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { type JsonObject, isObject } from '../api/json.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type CodeFile, type CompileCode, codeCompiler } from './compile-code.ts';
import { type Folder, folderFile } from './folder.ts';
import { type Kind, byKind, kindFacts, kinds } from './kinds.ts';
import { checkMembers } from './known-members.ts';
import { parseYaml } from './parse-yaml.ts';
import { resolveCode, resolveValues } from './resolve-values.ts';

const maxBytes = 4 * 1024 * 1024;

/**
 * Reads `glovebox.yaml` and the files that it names.
 * @throws CliError that names the place of the first problem
 */
export async function readFolder(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Folder> {
  const { root, compile } = await readRoot(folder);
  const codeFiles = new Map<string, CodeFile>();
  const onCode = (place: string, file: CodeFile) => void codeFiles.set(place, file);
  const source = { folder, env, compile, onCode };
  const read = (kind: Kind, name: string, definition: unknown) =>
    resolveValues(checkDefinition(kind, name, definition), `${kind}.${name}`, source);
  const resources = byKind((kind) => {
    const definitions = Object.entries(mapOf(root[kind], kind));
    return new Map(
      definitions.map(([name, definition]) => [checkName(kind, name), read(kind, name, definition)]),
    );
  });
  const policy = root['egress_policy'];
  if (policy !== undefined && !isObject(policy)) throw new CliError('egress_policy: must be a map');
  if (policy !== undefined) checkMembers('egress_policy', policy, 'egress_policy');
  return { resources, egressPolicy: policy, codeFiles };
}

/**
 * The code files that the folder names, by the code that the service gets of them. Nothing else is read, so no secret has to be
 * there; what is wrong with one definition does not count for others.
 * @throws CliError for a folder that cannot be read
 */
export async function readCodeFiles(folder: string): Promise<ReadonlyMap<string, CodeFile>> {
  const { root, compile } = await readRoot(folder);
  const found = new Map<string, CodeFile>();
  const onCode = (_place: string, file: CodeFile) => void found.set(file.code, file);
  for (const kind of kinds) {
    for (const [name, definition] of Object.entries(mapOf(root[kind], kind))) {
      try {
        resolveCode(checkDefinition(kind, name, definition), `${kind}.${name}`, { folder, compile, onCode });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
      }
    }
  }
  return found;
}

async function readRoot(folder: string): Promise<{ root: JsonObject; compile: CompileCode }> {
  const path = join(folder, folderFile);
  let text;
  try {
    if (statSync(path).size > maxBytes) throw new CliError(`${path} is larger than ${maxBytes} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be read. Begin with glovebox init or glovebox pull`);
  }
  const root = parseYaml(text, folderFile);
  if (!isObject(root)) throw new CliError(`${folderFile}: must be a map`);
  if (root['version'] !== 1) throw new CliError('version: must be 1');
  for (const name of Object.keys(root)) {
    if (!['version', 'egress_policy', ...kinds].includes(name)) throw new CliError(`${name}: is not known`);
  }
  return { root, compile: await codeCompiler(/\.[cm]?ts\b/.test(text)) };
}

function mapOf(value: unknown, place: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new CliError(`${place}: must be a map from name to definition`);
  return value;
}

function checkName(kind: Kind, name: string): string {
  if (name === '' || name.length > 200 || /[\r\n\u2028\u2029]/.test(name)) {
    throw new CliError(`${kind}: a name has 1 to 200 characters and no line breaks`);
  }
  return name;
}

function checkDefinition(kind: Kind, name: string, definition: unknown): JsonObject {
  const place = `${kind}.${name}`;
  if (!isObject(definition)) throw new CliError(`${place}: must be a map`);
  if ('name' in definition) throw new CliError(`${place}.name: the name is the key of the map`);
  checkMembers(kind, definition, place);
  for (const member of Object.keys(kindFacts[kind].references)) {
    const reference = definition[member];
    if (reference === undefined || reference === null || typeof reference === 'string') continue;
    if (!isObject(reference) || typeof reference['id'] !== 'string') {
      throw new CliError(`${place}.${member}: must be a name or {id: …}`);
    }
  }
  return definition;
}
