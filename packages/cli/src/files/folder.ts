import type { JsonObject } from '../api/json.ts';
import type { Kind } from './kinds.ts';

/** What a folder describes: members as in the API, references still by name. */
export interface Folder {
  /** By kind, then by name, in the order of the file. */
  readonly resources: Readonly<Record<Kind, ReadonlyMap<string, JsonObject>>>;
  /** Absent: it is not looked at. */
  readonly egressPolicy: JsonObject | undefined;
  /** The path of a code file, by the place where its text is, such as `proxies.charge.request_transform.code`. */
  readonly codeFiles: ReadonlyMap<string, string>;
}

export const folderFile = 'glovebox.yaml';
