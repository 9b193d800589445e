interface AnswerFields {
  readonly status?: unknown;
  readonly errors?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly toRFC7807?: unknown;
}

/**
 * Makes the function that turns a thrown value into JSON text `{name, message, stack, answer?}`; it never throws.
 * `answer` is there for what has a numeric status: JSON text `{status, errors, detail, headers, body, isProblem}`.
 */
export function makeDescribe(maxLength: number, maxAnswerLength: number): (thrown: unknown) => string {
  const { stringify } = JSON;
  const { String } = globalThis;
  const { apply, get } = Reflect;
  // User code may replace the method, so it is taken before any runs.
  // oxlint-disable-next-line typescript/unbound-method
  const { slice } = String.prototype;

  function read(thrown: object, field: string): string {
    try {
      const value: unknown = get(thrown, field);
      return typeof value === 'string' ? apply(slice, value, [0, maxLength]) : '';
    } catch {
      return '';
    }
  }

  function fieldsOf(thrown: object) {
    const { status, errors, headers, body, toRFC7807 }: AnswerFields = thrown;
    return { status, errors, headers, body, toRFC7807 };
  }

  function answerOf(thrown: object): string | undefined {
    try {
      const { toRFC7807, ...fields } = fieldsOf(thrown);
      const isProblem = typeof toRFC7807 === 'function';
      // A class of the user's own may keep its fields elsewhere.
      const problem: object = isProblem && fields.errors === undefined ? apply(toRFC7807, thrown, []) : {};
      const answer = { ...fields, ...problem, isProblem };
      if (typeof answer.status !== 'number') return undefined;
      const text = stringify(answer);
      return text.length > maxAnswerLength ? undefined : text;
    } catch {
      return undefined;
    }
  }

  /** Without a prototype there is no `toJSON` that user code has put there. */
  const write = (name: string, message: string, stack: string, answer: string | undefined) =>
    stringify({ __proto__: null, name, message, stack, answer });

  return (thrown) => {
    const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function';
    if (!isObject) {
      return write('', apply(slice, String(thrown), [0, maxLength]), '', undefined);
    }
    const [name, message, stack] = [read(thrown, 'name'), read(thrown, 'message'), read(thrown, 'stack')];
    return write(name, message, stack, answerOf(thrown));
  };
}
