import { codeFrame } from '@glovebox/platform/errors/code-frame';

import { type Json, type JsonObject, isObject } from '../api/json.ts';
import type { CodeFile } from './compile-code.ts';

/** The service knows code under this name. */
const placeInCode = /\bmain\.js:(\d{1,9}):(\d{1,9})\b/g;

/**
 * What the service says of code, with the places in the files from which the code comes: `charge.ts:5:3` in place of
 * `main.js:3:9`.
 * @param files those that may be meant; of several, each is named
 */
export function withPlaces(said: string, files: readonly CodeFile[]): string {
  return said.replaceAll(placeInCode, (named, line: string, column: string) => {
    const places = files.flatMap(({ path, placeOf }) => {
      const place = placeOf({ line: Number(line), column: Number(column) });
      return place === undefined ? [] : [`${path}:${place.line}:${place.column}`];
    });
    return places.length === 0 ? named : places.join(' or ');
  });
}

/** The same in all texts of a value, such as the log of a run. */
export function withPlacesWithin(value: Json, files: readonly CodeFile[]): Json {
  if (typeof value === 'string') return withPlaces(value, files);
  if (Array.isArray(value)) return value.map((item) => withPlacesWithin(item, files));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withPlacesWithin(inner, files)]),
  );
}

/** An error `{line, column, frame?}` with its place in the file, which it then names as `file`. */
export function placed(error: JsonObject, files: readonly CodeFile[]): JsonObject {
  const { line, column = 1, frame } = error;
  const [file, ...others] = files;
  if (file === undefined || others.length > 0 || typeof line !== 'number' || typeof column !== 'number') {
    return error;
  }
  const place = file.placeOf({ line, column });
  if (place === undefined) return error;
  const shown = frame === undefined ? {} : { frame: codeFrame(file.text, place.line, place.column) };
  return { ...error, file: file.path, ...place, ...shown };
}
