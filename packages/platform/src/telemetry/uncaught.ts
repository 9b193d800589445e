/** Exceptions and rejections that nothing in this process has caught. The first of them ends it (lifecycle.ts). */
let errors = 0;

export function noteUncaught(): void {
  errors += 1;
}

/** Since the process began. */
export const countUncaught = (): number => errors;
