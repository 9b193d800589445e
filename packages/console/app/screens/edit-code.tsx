import { useState } from 'react';

import type { Version } from '../api/models.ts';
import { useWrite } from '../api/use-api.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import { Action, Field } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { DeployDialog } from './deploy-dialog.tsx';
import { type TryProps, TryPanel } from './try-panel.tsx';

/** A place where code is, and what a draft with other code in it is made of. */
export interface CodePlace {
  readonly name: string;
  readonly code: string;
  readonly trial: Omit<TryProps, 'code'>;
  replace(code: string): { readonly body: unknown; readonly isPatch: boolean };
}

interface EditProps {
  readonly place: CodePlace;
  /** Of the resource. */
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
}

/** Code goes live in two steps: a draft is saved, then it is deployed. */
export function EditCode({ place, path, etag, permission }: EditProps) {
  const right = useRight(permission);
  const [code, setCode] = useState(place.code);
  const [comment, setComment] = useState('');
  const [draft, setDraft] = useState<{ readonly version: number; readonly code: string }>();
  const [isDeploying, setDeploying] = useState(false);
  const save = useWrite<Version>(({ version }) => setDraft({ version, code }));
  const isSaved = draft?.code === code;
  const blocked = code === place.code ? 'Nothing has changed.' : isSaved ? 'It is saved.' : undefined;
  return (
    <>
      <CodeEditor label={place.name} code={place.code} isReadOnly={right !== undefined} onChange={setCode} />
      <div className="deploy">
        <Field label={texts.reason} hint={texts.reasonHint} value={comment} onChange={setComment} />
        <Action
          primary={!isSaved}
          right={right ?? blocked}
          onClick={() =>
            save.mutate({ request: `POST ${path}/versions`, ...place.replace(code), comment, ifMatch: etag })
          }
        >
          {texts.actions.saveDraft}
        </Action>
        {isSaved && (
          <Action primary right={right} onClick={() => setDeploying(true)}>
            {texts.drafts.deploy(draft.version)}
          </Action>
        )}
      </div>
      {isSaved && <p role="status">{texts.drafts.saved(draft.version)}</p>}
      {save.error !== null && <Failure error={save.error} />}
      {isDeploying && draft !== undefined && (
        <DeployDialog
          path={path}
          version={draft.version}
          comment={comment}
          etag={etag}
          onClose={() => setDeploying(false)}
        />
      )}
      <TryPanel {...place.trial} code={code} />
    </>
  );
}
