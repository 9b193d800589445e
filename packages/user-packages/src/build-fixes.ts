export interface BuildFix {
  /** Below node_modules. */
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

/** Where a package looks for its own files in a way that a bundle does not survive. */
export const buildFixes: readonly BuildFix[] = [
  // The fonts that every reader of PDF has are loaded by a `require` of its own making.
  { file: 'pdfkit/js/pdfkit.js', find: `require$1('#`, replacement: `require('#` },
];

/** @throws Error when there is nothing to be replaced any more. */
export function fixed(text: string, { file, find, replacement }: BuildFix): string {
  if (!text.includes(find)) throw new Error(`${file} does not hold ${find} any more: look at build-fixes.ts`);
  return text.replaceAll(find, () => replacement);
}
