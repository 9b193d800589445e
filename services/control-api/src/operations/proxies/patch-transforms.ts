import type { Problems } from '../../http/shape.ts';
import type { InputLimits } from '../../limits/input-limits.ts';
import type { Side } from '../../proxies/transform-expressions.ts';
import {
  type Transforms,
  isNone,
  isObject,
  memberOf,
  readTransforms,
  shownTransforms,
} from '../../proxies/transforms.ts';

/** One side of a merge patch; undefined members are absent from it. */
export interface TransformsPatch {
  readonly single: unknown;
  readonly listed: unknown;
}

export function readTransformsPatch(body: unknown, side: Side): TransformsPatch {
  return { single: memberOf(body, `${side}_transform`), listed: memberOf(body, `${side}_transforms`) };
}

/**
 * One side after a patch (RFC 7396): a list is replaced, a single one is merged with what it was. Giving one form takes
 * the other away.
 * @param problems where those of what comes out are added
 */
export function patchTransforms(
  limits: InputLimits,
  current: Transforms,
  { single, listed }: TransformsPatch,
  side: Side,
  problems: Problems,
): Transforms {
  if (single === undefined && listed === undefined) return current;
  const shown = shownTransforms(side, current);
  const [one, many] = [`${side}_transform`, `${side}_transforms`] as const;
  const next =
    single != null && listed != null
      ? { [one]: single, [many]: listed }
      : single != null
        ? singleAfter(merged(shown[one], single), { one, many, kept: listed === null ? null : shown[many] })
        : listed != null
          ? { [many]: listed }
          : { [one]: single === null ? null : shown[one], [many]: listed === null ? null : shown[many] };
  return readTransforms(limits, next, side, problems);
}

/** An empty transform does not remove the list. */
function singleAfter(
  next: unknown,
  { one, many, kept }: { readonly one: string; readonly many: string; readonly kept: unknown },
): Record<string, unknown> {
  return isNone(next) ? { [many]: kept } : { [one]: next };
}

/** Of another type, nothing of what there was means anything. */
function merged(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = isObject(before) && (patch['type'] ?? before['type']) === before['type'] ? before : {};
  const result: Record<string, unknown> = { ...kept };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = isObject(value) && isObject(kept[name]) ? merged(kept[name], value) : value;
  }
  return result;
}
