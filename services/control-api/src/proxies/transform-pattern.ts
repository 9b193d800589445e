/**
 * What is wrong with a regular expression of a mask, if anything. It is parsed only: what it takes to run it shows where
 * it runs, in an isolate that is ended.
 */
export function patternProblem(expression: string): string | undefined {
  if (expression === '') return 'is required';
  try {
    void new RegExp(expression, 'g');
  } catch {
    return 'must be a valid regular expression';
  }
  return holdsCapture(expression) ? undefined : 'must have at least one capture group';
}

/** @param expression a valid one */
function holdsCapture(expression: string): boolean {
  let inClass = false;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '(' && !inClass && /^\((?:[^?]|\?<[^=!])/.test(expression.slice(at, at + 4)))
      return true;
  }
  return false;
}
