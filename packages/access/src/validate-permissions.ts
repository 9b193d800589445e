import { type AccessLimits, defaultAccessLimits } from './access-limits.ts';
import { isPermission, mayHold } from './permission.ts';
import type { HolderType, Permission } from './permission.ts';
import { addProblem } from './problems.ts';
import type { Checked, Problems } from './problems.ts';

/**
 * Reads the plain permissions of an application or session, as they came in a request: an array of
 * permissions that its type may hold. Absent and `null` mean none; repetitions are dropped.
 *
 * @param type undefined when it is not known, for the other problems
 * @param path JSON path of `input` in the request
 */
export function validatePermissions(
  input: unknown,
  type: HolderType | undefined,
  limits: AccessLimits = defaultAccessLimits,
  path = 'permissions',
): Checked<readonly Permission[]> {
  const problems: Problems = {};
  const value = readPermissions(input ?? [], type, limits, path, isPermission, problems);
  return Object.keys(problems).length === 0 ? { ok: true, value } : { ok: false, problems };
}

const holderNames: Readonly<Record<HolderType, string>> = {
  private: 'a private application',
  public: 'a public application',
  management: 'a management application',
  expiring: 'an expiring application',
  session: 'a session',
};

/** Reads the permissions that `accepts` knows and `type` may hold; the rest become problems. */
export function readPermissions<P extends Permission>(
  input: unknown,
  type: HolderType | undefined,
  { permissions: maxPermissions }: AccessLimits,
  path: string,
  accepts: (text: string) => text is P,
  problems: Problems,
): readonly P[] {
  if (!Array.isArray(input)) {
    addProblem(problems, path, 'must be an array of permissions');
    return [];
  }
  if (input.length > maxPermissions) {
    addProblem(problems, path, `must hold at most ${maxPermissions} permissions`);
    return [];
  }
  const held = new Set<P>();
  input.forEach((item: unknown, index) => {
    if (typeof item !== 'string' || !isPermission(item)) {
      addProblem(problems, `${path}[${index}]`, 'is not a permission');
    } else if (!accepts(item)) {
      addProblem(problems, `${path}[${index}]`, 'cannot be granted by a rule');
    } else if (type !== undefined && !mayHold(type, item)) {
      addProblem(problems, `${path}[${index}]`, `cannot be held by ${holderNames[type]}`);
    } else {
      held.add(item);
    }
  });
  return [...held];
}
