import type { ReactNode } from 'react';

/** A name and what is said of it, in a list of definitions. */
export function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
