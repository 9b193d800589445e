import { ApiError } from '../api/api-error.ts';
import { isObject } from '../api/json.ts';
import type { CodeFile } from '../files/compile-code.ts';
import type { Folder } from '../files/folder.ts';
import { readCodeFiles } from '../files/read-folder.ts';
import { withPlaces } from '../files/show-places.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Call } from './command.ts';

/** Finds the files of a folder from which code of the tenant comes. The folder is read when it is first needed. */
export class CodePlaces {
  readonly #folder: string | undefined;
  #files: Promise<ReadonlyMap<string, CodeFile>> | undefined;

  constructor(call: Call) {
    this.#folder = call.text('folder');
  }

  async anyFiles(): Promise<boolean> {
    return (await this.#read()).size > 0;
  }

  /**
   * The files whose code a proxy or reactor has, as the API shows it. Code that differs from that of every file comes from none.
   * @param side of a proxy: only its transforms of requests, or of responses
   */
  async filesOf(resource: unknown, side?: 'request' | 'response'): Promise<CodeFile[]> {
    const files = await this.#read();
    const other = side === undefined ? undefined : side === 'request' ? 'response' : 'request';
    return [...new Set(codesIn(resource, other))].flatMap((code) => files.get(code) ?? []);
  }

  /** Without `--folder`, this one may be any folder, and places of code are shown as the service says them. */
  #read(): Promise<ReadonlyMap<string, CodeFile>> {
    this.#files ??= readCodeFiles(this.#folder ?? '.').catch((error: unknown) => {
      if (this.#folder === undefined && error instanceof CliError) return new Map<string, CodeFile>();
      throw error;
    });
    return this.#files;
  }
}

/** The members `code` at any depth. @param without the side of a proxy that is left out */
function codesIn(value: unknown, without: string | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => codesIn(item, without));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'code' && typeof inner === 'string') return [inner];
    return without !== undefined && name.startsWith(`${without}_transform`) ? [] : codesIn(inner, without);
  });
}

/** A warning `member: text` about a resource, with places in the files of its code. @param place such as `proxies.charge` */
export function withPlacesOf(folder: Folder, place: string, warning: string): string {
  return withPlaces(warning, filesAt(folder, place, /^[^:\s]+(?=: )/.exec(warning)?.[0]));
}

/** An error about a resource of the folder, with places in the files of its code. */
export function explained(folder: Folder, place: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return error.reworded((problem, path) => withPlaces(problem, filesAt(folder, place, path)));
}

function filesAt({ codeFiles }: Folder, place: string, member: string | undefined): CodeFile[] {
  const file = codeFiles.get(`${place}.${member}`);
  return file === undefined ? [] : [file];
}
