interface Open {
  readonly closing: '}' | ']';
  readonly outer: Open | undefined;
}

/** A text and how far it has been read; each of these reads on, and is false where it cannot. */
interface Reader {
  readonly at: () => number;
  readonly isIn: (characters: string) => boolean;
  readonly take: (characters: string) => boolean;
  readonly space: () => void;
  readonly string: () => boolean;
  /** Of the literals, numbers and strings of JSON. */
  readonly scalar: () => boolean;
}

/** Reads the tokens of JSON. Uses nothing of the realm that code could have replaced. */
export function readJson(text: string): Reader {
  const decimal = '0123456789';
  let at = 0;

  function isIn(characters: string): boolean {
    const found = text[at];
    if (found === undefined) return false;
    for (let i = 0; i < characters.length; i += 1) if (characters[i] === found) return true;
    return false;
  }
  function take(characters: string): boolean {
    if (!isIn(characters)) return false;
    at += 1;
    return true;
  }
  function digits(): boolean {
    if (!isIn(decimal)) return false;
    while (isIn(decimal)) at += 1;
    return true;
  }
  function number(): boolean {
    take('-');
    if (take('0') ? isIn(decimal) : !digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('eE')) return true;
    take('+-');
    return digits();
  }
  function escape(): boolean {
    if (!take('u')) return take('"\\/bfnrt');
    for (let i = 0; i < 4; i += 1) if (!take('0123456789abcdefABCDEF')) return false;
    return true;
  }
  function string(): boolean {
    if (!take('"')) return false;
    for (let found = text[at]; found !== undefined && found >= ' '; found = text[at]) {
      at += 1;
      if (found === '"') return true;
      if (found === '\\' && !escape()) return false;
    }
    return false;
  }
  function word(expected: string): boolean {
    for (let i = 0; i < expected.length; i += 1) if (!take(expected[i]!)) return false;
    return true;
  }
  function scalar(): boolean {
    if (isIn('"')) return string();
    if (isIn(`-${decimal}`)) return number();
    if (isIn('t')) return word('true');
    return isIn('f') ? word('false') : word('null');
  }
  const space = () => {
    while (isIn(' \n\r\t')) at += 1;
  };
  return { at: () => at, isIn, take, space, string, scalar };
}

/**
 * The message of V8 9.4 (Node.js 16) for text that is not JSON: it gives the position. Newer versions quote the text, which may
 * be sensitive. Undefined when the text is JSON (RFC 8259).
 *
 * @param read readJson; handed over, since this runs in the isolate as its own text
 */
export function jsonProblem(text: string, read: (text: string) => Reader): string | undefined {
  const { at, isIn, take, space, string, scalar } = read(text);
  let open: Open | undefined;

  function key(): boolean {
    space();
    if (!string()) return false;
    space();
    return take(':');
  }

  /** Up to its end, or to where its first part ends. */
  function value(): boolean {
    for (;;) {
      space();
      const closing = take('{') ? '}' : take('[') ? ']' : undefined;
      if (closing === undefined) return scalar();
      space();
      if (take(closing)) return true;
      open = { closing, outer: open };
      if (closing === '}' && !key()) return false;
    }
  }

  function whole(): boolean {
    if (!value()) return false;
    for (space(); open !== undefined; space()) {
      if (take(open.closing)) open = open.outer;
      else if (!take(',') || !((open.closing === ']' || key()) && value())) return false;
    }
    return at() === text.length;
  }

  if (whole()) return undefined;
  const found = text[at()];
  if (found === undefined) return 'Unexpected end of JSON input';
  if (isIn('"')) return `Unexpected string in JSON at position ${at()}`;
  if (isIn('-0123456789')) return `Unexpected number in JSON at position ${at()}`;
  return `Unexpected token ${found} in JSON at position ${at()}`;
}
