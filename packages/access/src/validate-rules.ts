import { type AccessLimits, defaultAccessLimits } from './access-limits.ts';
import { parseContainer, rootContainer } from './container.ts';
import { isTokenPermission } from './permission.ts';
import type { HolderType, TokenPermission } from './permission.ts';
import { addProblem } from './problems.ts';
import type { Checked, Problems } from './problems.ts';
import { readConditions } from './read-conditions.ts';
import { readHostPatterns } from './read-host-patterns.ts';
import { isTransform } from './rules.ts';
import type { AccessRule, Transform } from './rules.ts';
import { readPermissions } from './validate-permissions.ts';

/** Largest priority: what an `integer` column and an `int32` field hold. */
const maxPriority = 2 ** 31 - 1;

/**
 * Reads the access rules of an application or session, as they came in a request (contract/tenants.md#access-rules
 * and contract/tenants.md#sessions). Absent and `null` mean none; unknown properties are ignored; every problem is
 * reported at once. The rules of an expiring application or a session may name conditions in place of a container.
 *
 * @param type undefined when it is not known, for the other problems
 * @param path JSON path of `input` in the request
 */
export function validateRules(
  input: unknown,
  type: HolderType | undefined,
  limits: AccessLimits = defaultAccessLimits,
  path = 'rules',
): Checked<readonly AccessRule[]> {
  const problems: Problems = {};
  const value = readRules(input ?? [], { type, limits }, path, problems);
  return Object.keys(problems).length === 0 ? { ok: true, value } : { ok: false, problems };
}

// The readers below always return something of the right type; it only counts if no problem was added.

interface Bounds {
  readonly type: HolderType | undefined;
  readonly limits: AccessLimits;
}

function readRules(input: unknown, bounds: Bounds, path: string, problems: Problems): readonly AccessRule[] {
  if (!Array.isArray(input)) {
    addProblem(problems, path, 'must be an array of rules');
    return [];
  }
  const { rules: maxRules } = bounds.limits;
  if (bounds.type === 'management' && input.length > 0) {
    addProblem(problems, path, 'must be empty for a management application');
    return [];
  }
  if (input.length > maxRules) {
    addProblem(problems, path, `must hold at most ${maxRules} rules`);
    return [];
  }
  const rules: AccessRule[] = [];
  const priorities = new Set<number>();
  input.forEach((item: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isRecord(item)) return addProblem(problems, at, 'must be an object');
    const rule = readRule(item, bounds, at, problems);
    if (priorities.has(rule.priority)) {
      addProblem(problems, `${at}.priority`, 'must be unique among the rules');
    }
    if (rule.priority >= 1) priorities.add(rule.priority);
    rules.push(rule);
  });
  return rules;
}

function readRule(
  fields: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  path: string,
  problems: Problems,
): AccessRule {
  const { descriptionLength } = bounds.limits;
  const description = readDescription(
    fields['description'],
    descriptionLength,
    `${path}.description`,
    problems,
  );
  const permissions = readGranted(fields['permissions'], bounds, `${path}.permissions`, problems);
  const destinations = readDestinations(fields['destinations'], permissions, bounds, path, problems);
  return {
    ...(description === undefined ? {} : { description }),
    priority: readPriority(fields['priority'], `${path}.priority`, problems),
    ...readScope(fields, bounds, path, problems),
    transform: readTransform(fields['transform'], `${path}.transform`, problems),
    permissions,
    ...(destinations === undefined ? {} : { destinations }),
  };
}

function readDestinations(
  input: unknown,
  permissions: readonly TokenPermission[],
  { limits: { localDestinations: localhost } }: Bounds,
  path: string,
  problems: Problems,
): readonly string[] | undefined {
  if (input === undefined || input === null) return undefined;
  const at = `${path}.destinations`;
  if (!permissions.includes('token:use')) {
    addProblem(problems, at, 'can be set only on a rule that grants token:use');
  }
  return readHostPatterns(input, { min: 1, localhost }, at, problems);
}

function readDescription(
  input: unknown,
  maxLength: number,
  path: string,
  problems: Problems,
): string | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string' && input.length <= maxLength) return input;
  addProblem(problems, path, `must be a string of at most ${maxLength} characters`);
  return undefined;
}

function readScope(
  { container, conditions }: Readonly<Record<string, unknown>>,
  { type, limits }: Bounds,
  path: string,
  problems: Problems,
): Pick<AccessRule, 'container' | 'conditions'> {
  const at = `${path}.conditions`;
  if (
    conditions === undefined ||
    conditions === null ||
    (Array.isArray(conditions) && conditions.length === 0)
  ) {
    return { container: readContainer(container, limits, `${path}.container`, problems) };
  }
  if (type !== 'session' && type !== 'expiring') {
    addProblem(problems, at, 'can be set on the rules of expiring applications and sessions only');
    return { container: readContainer(container, limits, `${path}.container`, problems) };
  }
  if (container !== undefined && container !== null) {
    addProblem(problems, at, 'cannot be set together with container');
  }
  return { conditions: readConditions(conditions, limits, at, problems) };
}

/** 0, which no rule may have, if it cannot be read. */
function readPriority(input: unknown, path: string, problems: Problems): number {
  if (typeof input === 'number' && Number.isInteger(input) && input >= 1 && input <= maxPriority)
    return input;
  addProblem(problems, path, `must be an integer from 1 to ${maxPriority}`);
  return 0;
}

function readContainer(
  input: unknown,
  { containerLength }: AccessLimits,
  path: string,
  problems: Problems,
): string {
  if (input === undefined || input === null) {
    addProblem(problems, path, 'is required');
    return rootContainer;
  }
  const container = typeof input === 'string' ? parseContainer(input, containerLength) : null;
  if (container !== null) return container;
  addProblem(
    problems,
    path,
    `must be a path such as /pci/high/: segments of letters, digits, - and _, ` +
      `a slash before and after each, at most ${containerLength} characters`,
  );
  return rootContainer;
}

function readTransform(input: unknown, path: string, problems: Problems): Transform {
  if (typeof input === 'string' && isTransform(input)) return input;
  addProblem(problems, path, 'must be one of redact, mask, reveal');
  return 'redact';
}

function readGranted(
  input: unknown,
  { type, limits }: Bounds,
  path: string,
  problems: Problems,
): readonly TokenPermission[] {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) {
    addProblem(problems, path, 'must name at least one permission');
    return [];
  }
  return readPermissions(input, type, limits, path, isTokenPermission, problems);
}

function isRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}
