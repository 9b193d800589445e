import { useState } from 'react';

import { useWrite } from '../api/use-api.ts';
import { Field } from '../parts/fields.tsx';
import { Dialog } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { texts } from '../texts.ts';

interface DeployProps {
  /** Of the resource. */
  readonly path: string;
  /** Of the draft. */
  readonly version: number;
  /** Why, to begin with. */
  readonly comment: string;
  /** What it is to replace; absent: whatever is there. */
  readonly etag?: string | undefined;
  readonly onClose: () => void;
}

/** Says what deploying a draft does, and does it. */
export function DeployDialog({ path, version, comment, etag, onClose }: DeployProps) {
  const [reason, setReason] = useState(comment);
  const write = useWrite(onClose);
  const request = `POST ${path}/versions/${version}/restore`;
  return (
    <Dialog title={texts.drafts.title(version)} onClose={onClose}>
      <p>{texts.drafts.effect(version)}</p>
      <Field label={texts.reason} hint={texts.reasonHint} value={reason} onChange={setReason} />
      {write.error !== null && <Failure error={write.error} />}
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={write.isPending}
          onClick={() => write.mutate({ request, comment: reason, ifMatch: etag })}
        >
          {texts.actions.deploy}
        </button>
      </div>
    </Dialog>
  );
}
