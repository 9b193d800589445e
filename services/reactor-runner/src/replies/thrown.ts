/** The name of the error class that holds a whole response. */
export const wholeResponse = 'CustomHttpResponseError';

/** What an isolate says of what its code threw (make-describe.ts): nothing in it is to be trusted, not even its shape. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** For what has a status of its own. */
  readonly answer: ReadonlyMap<string, unknown> | undefined;
}

export function parseThrown(json: string): Thrown {
  const fields = fieldsOf(json) ?? new Map<string, unknown>();
  const text = (field: string) => {
    const found = fields.get(field);
    return typeof found === 'string' ? found : '';
  };
  return {
    name: text('name'),
    message: text('message'),
    stack: text('stack'),
    answer: fieldsOf(text('answer')),
  };
}

function fieldsOf(json: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
