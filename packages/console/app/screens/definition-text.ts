/** Members that say when and by whom, which no definition has. */
const passedOver = new Set(['id', 'tenant_id', 'created_at', 'created_by', 'modified_at', 'modified_by']);

/** A definition as lines of name and value; members of objects have paths such as `request_transform.code`. */
export function definitionLines(of: object, path = ''): readonly (readonly [name: string, value: string])[] {
  return Object.entries(of).flatMap(([name, value]: [string, unknown]) => {
    if (path === '' && passedOver.has(name)) return [];
    const whole = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      return definitionLines(value, whole);
    }
    return [[whole, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
}

/** The same as one text, of which two can be compared line by line. */
export function definitionText(of: object): string {
  return definitionLines(of)
    .map(([name, value]) => (value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`))
    .join('\n');
}
