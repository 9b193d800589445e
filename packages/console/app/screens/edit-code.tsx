import { useState } from 'react';

import { CodeEditor } from '../editor/code-editor.tsx';
import { useRight } from '../session.tsx';
import { type Change, SaveDraft } from './save-draft.tsx';
import { type TryProps, TryPanel } from './try-panel.tsx';

/** A place where code is, and what a draft with other code in it is made of. */
export interface CodePlace {
  readonly name: string;
  readonly code: string;
  readonly trial: Omit<TryProps, 'code' | 'live'>;
  replace(code: string): Change;
}

interface EditProps {
  readonly place: CodePlace;
  /** Of the resource. */
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
}

/** The code of one place: written, saved as a draft, deployed, and tried beside it. */
export function EditCode({ place, path, etag, permission }: EditProps) {
  const right = useRight(permission);
  const [code, setCode] = useState(place.code);
  const change = code === place.code ? undefined : place.replace(code);
  return (
    <>
      <CodeEditor label={place.name} code={place.code} isReadOnly={right !== undefined} onChange={setCode} />
      <SaveDraft path={path} etag={etag} permission={permission} change={change} />
      <TryPanel {...place.trial} code={code} live={place.code} />
    </>
  );
}
