/** Problems by property. */
export type ReactorErrors = Record<string, string[]>;

const fallback = 'Something went wrong.';

/** Normalizes the argument of an error to the form that callers see. */
export function errorsOf(given: unknown): ReactorErrors {
  if (given === undefined || given === null || given === '') return { error: [fallback] };
  if (Array.isArray(given)) return { error: given.length === 0 ? [fallback] : given.map(textOf) };
  if (given instanceof Error) return { error: [given.message || nameOf(given)] };
  if (typeof given !== 'object') return { error: [textOf(given)] };
  const errors = Object.entries(given).map(([property, found]) => [property, textsOf(found)] as const);
  return errors.length === 0 ? { error: [fallback] } : Object.fromEntries(errors);
}

function nameOf({ name }: Error): string {
  return name === 'Error' ? fallback : name;
}

function textsOf(found: unknown): string[] {
  if (Array.isArray(found)) return found.map(textOf);
  if (!found) return [fallback];
  return [textOf(found)];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return fallback;
  // oxlint-disable-next-line typescript/no-base-to-string -- it is no object
  return typeof value === 'object' ? json(value) : String(value);
}

/** JSON text with `[Circular]` for circular references. */
function json(value: object): string {
  const within: unknown[] = [];
  return JSON.stringify(value, function (this: unknown, _key, inner: unknown) {
    if (typeof inner === 'bigint') return String(inner);
    while (within.length > 0 && within.at(-1) !== this) within.pop();
    if (typeof inner !== 'object' || inner === null) return inner;
    if (within.includes(inner)) return '[Circular]';
    within.push(inner);
    return inner;
  });
}
