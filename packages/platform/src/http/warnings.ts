import { type AppError, strictError, validationError } from '../errors/app-error.ts';
import { nearestName } from '../values/nearest-name.ts';

/** Response header for probable mistakes of the caller that are not refused (RFC 9651 section 3.1). */
export const warningHeader = 'SVC-Warning';
/** The same under the prefix of existing clients. */
export const warningAlias = 'BT-Warning';

/** A probable mistake. */
export interface Finding {
  /** Shown beside a response. */
  readonly warning: string;
  /** Its place in the request. */
  readonly path: string;
  /** The text, as in an error. */
  readonly problem: string;
}

/** An unknown property or query parameter, with the known one that was probably meant. */
export function unknownName(
  kind: 'property' | 'parameter',
  { path, name, known }: { readonly path: string; readonly name: string; readonly known: readonly string[] },
): Finding {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`;
  return { warning: `unknown ${kind} ${path}${hint}`, path, problem: `is unknown${hint}` };
}

const longestPath = 100;

/** A path of the filter `json` that selects nothing. */
export function unselectedPath(path: string): Finding {
  const warning = `the path ${path.slice(0, longestPath)} of json selects nothing`;
  return { path: 'expressions', warning, problem: warning };
}

const mostWarnings = 10;
const longestWarning = 300;
/** Of an error; as many as field problems in one error. */
export const mostFindings = 100;

/** The warnings of one request. A strict caller has it refused. */
export class Warnings {
  readonly strict: boolean;
  readonly #texts: string[] = [];

  /** @throws AppError `invalid_argument` @param header what was sent as `SVC-Strict` */
  constructor(header: string | undefined) {
    if (header !== undefined && header !== 'true' && header !== 'false') {
      throw validationError({ 'SVC-STRICT': ['must be true or false'] });
    }
    this.strict = header === 'true';
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** @throws AppError `strict` with all of them, for a strict caller */
  add(findings: readonly Finding[]): void {
    if (findings.length > 0 && this.strict) throw strictFindings(findings);
    this.#texts.push(...findings.map(({ warning }) => warning));
  }
}

/** The refusal for a strict caller. */
export function strictFindings(findings: readonly Finding[]): AppError {
  // A caller may name a field like a member of every object, such as `constructor`.
  const problems = Map.groupBy(findings.slice(0, mostFindings), ({ path }) => path);
  const errors = [...problems].map(([path, found]) => [path, found.map(({ problem }) => problem)] as const);
  return strictError(Object.fromEntries(errors));
}

/** A List of Strings (RFC 9651 sections 3.1 and 3.3.3). Undefined: there are no warnings. */
export function warningList(texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  const shown = texts.length > mostWarnings ? [...texts.slice(0, mostWarnings - 1), 'and more'] : texts;
  return shown.map(stringItem).join(', ');
}

function stringItem(text: string): string {
  const ascii = text.slice(0, longestWarning).replaceAll(/[^\x20-\x7e]/gu, '?');
  return `"${ascii.replaceAll(/["\\]/g, '\\$&')}"`;
}
