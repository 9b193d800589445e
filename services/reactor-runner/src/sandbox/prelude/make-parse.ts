/** `JSON.parse` whose errors say what those of Node.js 16 do, and nothing of the text. */
export function makeParse(jsonProblem: (text: string) => string | undefined): typeof JSON.parse {
  const { parse } = JSON;
  const { apply: call } = Reflect;
  // oxlint-disable-next-line typescript/unbound-method
  const { captureStackTrace } = Error;
  const Problem = SyntaxError;

  function apply(target: typeof JSON.parse, self: unknown, args: [string | number, unknown]): unknown {
    // A value that is not a text is converted once, and throws what it throws.
    const text = `${args[0]}`;
    try {
      return call(target, self, [text, args[1]]);
    } catch (thrown) {
      // A reviver may throw too: it is called for text that is JSON.
      const problem = jsonProblem(text);
      if (problem === undefined) throw thrown;
      const error = new Problem(problem);
      captureStackTrace(error, apply);
      throw error;
    }
  }

  const handler: object = Object.create(null);
  return new Proxy(parse, Object.assign(handler, { apply }));
}
