import { isDeepStrictEqual } from 'node:util';

import { pathsRead } from '../expressions/paths-read.ts';
import { isTemplate } from '../expressions/template.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../values/json-value.ts';
import type { PatchedToken } from './apply-patch.ts';
import { replacesAll, replacesAt, touchesAt } from './replaced-data.ts';
import type { TokenContent } from './token-content.ts';

/**
 * The attributes by which a patch would show, or test, data that it does not bring itself. They need a view of that
 * data: a mask may be `{{ data }}`, and an index over one digit reveals it.
 * @param makesFingerprint the token gets its first fingerprint only because the patch asks for it
 * @returns their names, as in the patch
 */
export function exposedAttributes(
  current: TokenContent,
  { content, touched, deduplicateToken }: PatchedToken,
  patch: JsonObject,
  makesFingerprint: boolean,
): readonly string[] {
  const newData = patch['data'] ?? null;
  const brings = (expressions: readonly string[]): boolean =>
    touched.has('data') &&
    expressions.flatMap(pathsRead).every((path) => replacesAt(current.data, newData, path));
  const exposed: string[] = [];
  const check = (name: string, isChanged: boolean, before: readonly string[], after: readonly string[]) => {
    if (isChanged && !brings(after.filter((one) => !before.includes(one)))) exposed.push(name);
  };

  const isRemasked = !isDeepStrictEqual(content.mask, current.mask);
  check('mask', isRemasked, templatesIn(current.mask), templatesIn(content.mask));
  const isReindexed = !isDeepStrictEqual(content.searchIndexes, current.searchIndexes);
  check('search_indexes', isReindexed, current.searchIndexes, content.searchIndexes);
  const expression = content.fingerprintExpression;
  if (
    expression !== current.fingerprintExpression ||
    (makesFingerprint && touched.has('fingerprint_expression'))
  ) {
    check('fingerprint_expression', true, [], [expression]);
  } else if (makesFingerprint && deduplicateToken === true) {
    check('deduplicate_token', true, [], [expression]);
  }
  const kept = [
    ...templatesIn(current.mask).filter((one) => templatesIn(content.mask).includes(one)),
    ...current.searchIndexes.filter((one) => content.searchIndexes.includes(one)),
  ];
  if (touched.has('data') && kept.some((one) => reaims(one, current.data, newData))) {
    exposed.push('data');
  }
  return exposed;
}

/** Whether a patch brings a part of the data that an expression reads: that part may choose what is made of the rest. */
function reaims(expression: string, current: JsonValue, patch: JsonValue): boolean {
  const paths = pathsRead(expression);
  return (
    paths.some((path) => touchesAt(patch, path)) && !paths.every((path) => replacesAt(current, patch, path))
  );
}

/**
 * Whether a fingerprint after the patch would test data that the patch does not bring. It would if the patch brings only
 * a part of what the expression reads, or if there was no fingerprint, perhaps because of an earlier such patch.
 */
export function fingerprintTestsData(
  current: TokenContent,
  { content, touched }: PatchedToken,
  patch: JsonObject,
  hasFingerprint: boolean,
): boolean {
  const data = touched.has('data') ? (patch['data'] ?? null) : {};
  if (hasFingerprint) return reaims(content.fingerprintExpression, current.data, data);
  return !pathsRead(content.fingerprintExpression).every((path) => replacesAt(current.data, data, path));
}

/** Whether a patch replaces all of the data. */
export function replacesData(current: TokenContent, { touched }: PatchedToken, patch: JsonObject): boolean {
  return touched.has('data') && replacesAll(current.data, patch['data'] ?? null);
}

/** A mask may keep showing, in any position, what it showed before. */
function templatesIn(mask: JsonValue): readonly string[] {
  if (typeof mask === 'string') return isTemplate(mask) ? [mask] : [];
  if (Array.isArray(mask)) return mask.flatMap(templatesIn);
  return isJsonObject(mask) ? Object.values(mask).flatMap(templatesIn) : [];
}
