import { userFile } from '../../worker-protocol/outcome.ts';

interface Found {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

const maxLength = 1000;
const lineEnds = /\r\n|[\n\r\u2028\u2029]/;
/** isolated-vm puts the place behind V8's message: `Unexpected token '}' [main.js:3:1]`. */
const withPlace = new RegExp(`^(.*) \\[${RegExp.escape(userFile)}:(\\d+):(\\d+)\\]$`, 's');

/**
 * What is wrong with a module that does not compile, with the place in the user's own text.
 * @param thrown when it was compiled as a module, in lines that count from the first of the code.
 * @param compileBare compiles the code alone, as a script; throws what is wrong with that.
 */
export function describeSyntaxError(code: string, thrown: unknown, compileBare: () => void): string {
  const found = findIn(thrown);
  if (found === undefined) return tooComplex;
  const lines = code.split(lineEnds);
  if (found.line <= lines.length) return show(found);
  // V8 has stumbled over the end of the wrapper. Without that it names the place in the code, unless it takes
  // offence at a `return` there, which a module may have.
  const bare = findIn(errorOf(compileBare));
  if (bare !== undefined && bare.message !== 'Illegal return statement') return show(bare);
  return show({ message: 'Unexpected end of input', line: lines.length, column: lines.at(-1)!.length + 1 });
}

/** All else that V8 says of code that it does not compile. */
const tooComplex = 'SyntaxError: The code is nested too deeply or too long to be compiled.';

function show({ message, line, column }: Found): string {
  return `SyntaxError: ${message.slice(0, maxLength)}${hintOf(message)} (${userFile}:${line}:${column})`;
}

/** What V8 says of the syntax of ES modules is no help to a reader who does not know that this is none. */
function hintOf(message: string): string {
  if (message === "Unexpected token 'export'")
    return '; this is a CommonJS module: write module.exports = async function (req) { … }';
  return message === 'Cannot use import statement outside a module'
    ? '; this is a CommonJS module: use require, and module.exports = async function (req) { … }'
    : '';
}

function findIn(thrown: unknown): Found | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'SyntaxError') return undefined;
  const [, message, line, column] = withPlace.exec(thrown.message) ?? [];
  return message === undefined ? undefined : { message, line: Number(line), column: Number(column) };
}

function errorOf(attempt: () => void): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}
