/** Of what a request may hold; docs/settings.md. */
export interface InputLimits {
  readonly bodyBytes: number;
  /** Of all requests at once. */
  readonly heldBytes: number;
  /** Of a transform or a formula, in characters (api-facts 9, row 6). */
  readonly codeLength: number;
  /** Entries of a configuration (api-facts 1.10). */
  readonly settings: number;
  /** Of one of them, in characters. */
  readonly settingLength: number;
  /** Of each kind in a formula (api-facts 1.10). */
  readonly declarations: number;
  /** Of one side of a proxy. */
  readonly transforms: number;
  /** Of what one makes or appends, in characters; as JSON where it is JSON. */
  readonly transformValueLength: number;
  /** Of the pattern of a mask, in characters. */
  readonly patternLength: number;
}

export const defaultInputLimits: InputLimits = {
  bodyBytes: 2 * 1024 * 1024,
  heldBytes: 16 * 1024 * 1024,
  codeLength: 50_000,
  settings: 25,
  settingLength: 16_384,
  declarations: 25,
  transforms: 10,
  transformValueLength: 50_000,
  patternLength: 1000,
};

/** Makes once what depends on the limits alone. */
export function perLimits<Made extends object>(
  make: (limits: InputLimits) => Made,
): (limits: InputLimits) => Made {
  const made = new WeakMap<InputLimits, Made>();
  return (limits) => {
    const known = made.get(limits) ?? make(limits);
    made.set(limits, known);
    return known;
  };
}
