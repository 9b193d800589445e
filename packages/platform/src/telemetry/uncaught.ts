/** Uncaught exceptions and rejections of this process. The first one ends it (lifecycle.ts). */
let errors = 0;

export function noteUncaught(): void {
  errors += 1;
}

/** Since the process began. */
export const countUncaught = (): number => errors;
