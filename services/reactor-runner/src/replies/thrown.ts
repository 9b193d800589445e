/** The error class that holds a whole response. */
export const wholeResponse = 'CustomHttpResponseError';

/** What code threw, as the isolate describes it (make-describe.ts). Untrusted, including its shape. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Present if the error has a status. */
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
