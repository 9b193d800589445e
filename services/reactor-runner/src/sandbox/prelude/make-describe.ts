/**
 * Makes the function that puts whatever was thrown into JSON text `{name, message, stack, answer?}`; it never throws.
 * `answer` is there for what has a numeric status: JSON text `{status, errors, headers, body, isProblem}`.
 */
export function makeDescribe(maxLength: number, maxAnswerLength: number): (thrown: unknown) => string {
  const { stringify } = JSON;
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

  return (thrown) => {
    const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function';
    if (!isObject) {
      return stringify({ name: '', message: apply(slice, String(thrown), [0, maxLength]), stack: '' });
    }
    const [name, message, stack] = [read(thrown, 'name'), read(thrown, 'message'), read(thrown, 'stack')];
    return stringify({ name, message, stack, answer: answerOf(thrown) });
  };
}
