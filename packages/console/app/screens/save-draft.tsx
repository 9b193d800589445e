import { useState } from 'react';

import type { Version } from '../api/models.ts';
import { useWrite } from '../api/use-api.ts';
import { Field } from '../parts/fields.tsx';
import { Action } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { DeployDialog } from './deploy-dialog.tsx';

/** What a draft is made of. */
export interface Change {
  readonly body: unknown;
  /** The body says what changes, not what is to be. */
  readonly isPatch: boolean;
}

interface SaveDraftProps {
  /** Of the resource. */
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
  /** Undefined: nothing has changed. */
  readonly change: Change | undefined;
}

/** A change goes live in two steps: a draft is saved, then it is deployed. */
export function SaveDraft({ path, etag, permission, change }: SaveDraftProps) {
  const right = useRight(permission);
  const [comment, setComment] = useState('');
  const [draft, setDraft] = useState<{ readonly version: number; readonly of: string }>();
  const [isDeploying, setDeploying] = useState(false);
  const of = JSON.stringify(change);
  const save = useWrite<Version>(({ version }) => setDraft({ version, of }));
  const isSaved = change !== undefined && draft?.of === of;
  const blocked = change === undefined ? texts.drafts.unchanged : isSaved ? texts.drafts.isSaved : undefined;
  return (
    <>
      <div className="deploy">
        <Field label={texts.reason} hint={texts.reasonHint} value={comment} onChange={setComment} />
        <Action
          primary={!isSaved}
          right={right ?? blocked}
          onClick={() => {
            if (change === undefined) return;
            save.mutate({ request: `POST ${path}/versions`, ...change, comment, ifMatch: etag });
          }}
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
    </>
  );
}
