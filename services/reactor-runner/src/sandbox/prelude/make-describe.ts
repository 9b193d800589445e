/**
 * Makes the function that puts whatever was thrown into JSON text `{name, message, stack, answer?}`; it never throws.
 * `answer` is there for what has a numeric status: JSON text `{status, errors, headers, body, isProblem}`.
 */
export function makeDescribe(maxLength: number, maxAnswerLength: number): (thrown: unknown) => string {
  const { stringify } = JSON;
  const { String } = globalThis;
  const { apply } = Reflect;
  // User code may replace the method, so it is taken before any runs.
  // oxlint-disable-next-line typescript/unbound-method
  const { slice } = String.prototype;

  function read(thrown: object, field: string): string {
    try {
      const value = (thrown as Record<string, unknown>)[field];
      return typeof value === 'string' ? apply(slice, value, [0, maxLength]) : '';
    } catch {
      return '';
    }
  }

  function answerOf(thrown: object): string | undefined {
    try {
      const { status, errors, headers, body, toRFC7807 } = thrown as Record<string, unknown>;
      if (typeof status !== 'number') return undefined;
      const isProblem = typeof toRFC7807 === 'function';
      const text = stringify({ status, errors, headers, body, isProblem });
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
