import { type ReactNode, useState } from 'react';

import { useWrite } from '../api/use-api.ts';
import { texts } from '../texts.ts';
import { Field } from './fields.tsx';
import { Dialog } from './parts.tsx';
import { Failure } from './states.tsx';

/** What is sent once it is confirmed. */
export interface Act {
  /** E.g. `DELETE /applications/…` */
  readonly request: string;
  readonly body?: unknown;
  readonly isPatch?: boolean;
  readonly ifMatch?: string | undefined;
}

/** Names what a dangerous act does, asks why, and does it. The reason is in the audit log. */
export function Confirm({
  title,
  act,
  action,
  children,
  reason: firstReason = '',
  isReady = true,
  onClose,
  onDone = onClose,
}: {
  readonly title: string;
  readonly act: Act;
  /** On the button. */
  readonly action: string;
  /** The effect. */
  readonly children: ReactNode;
  readonly reason?: string;
  /** Nothing is missing but the reason. */
  readonly isReady?: boolean;
  readonly onClose: () => void;
  /** @param answer of the service */
  readonly onDone?: (answer: unknown) => void;
}) {
  const [reason, setReason] = useState(firstReason);
  const write = useWrite(onDone);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate({ ...act, comment: reason });
        }}
      >
        {children}
        <Field label={texts.reason} hint={texts.confirm.hint} value={reason} onChange={setReason} required />
        {write.error !== null && <Failure error={write.error} />}
        <div className="row end">
          <button type="button" className="button" onClick={onClose}>
            {texts.actions.cancel}
          </button>
          <button
            type="submit"
            className="button danger"
            disabled={write.isPending || !isReady || reason.trim().length < 3}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
