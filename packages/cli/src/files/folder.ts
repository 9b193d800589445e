import type { JsonObject } from '../api/json.ts';
import type { CodeFile } from './compile-code.ts';
import type { Kind } from './kinds.ts';

/** What a folder describes: members as in the API, references still by name. */
export interface Folder {
  /** By kind, then by name, in the order of the file. */
  readonly resources: Readonly<Record<Kind, ReadonlyMap<string, JsonObject>>>;
  /** Absent: it is not looked at. */
  readonly egressPolicy: JsonObject | undefined;
  /** Code files by the place where their code is, such as `proxies.charge.request_transform.code`. */
  readonly codeFiles: ReadonlyMap<string, CodeFile>;
}

export const folderFile = 'glovebox.yaml';
