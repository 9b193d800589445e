import { type ReactNode, useState } from 'react';

import { texts } from '../texts.ts';
import { Field } from './fields.tsx';
import { CloseRow, Dialog } from './parts.tsx';

const shortest = 10;

/** Asks why somebody wants to see a value. */
export function ReasonDialog({
  title,
  effect,
  action,
  blocked,
  children,
  onReason,
  onClose,
}: {
  readonly title: string;
  readonly effect: string;
  /** On the button. */
  readonly action: string;
  /** In place of the question, what has to be done before it. */
  readonly blocked: ReactNode;
  readonly children?: ReactNode;
  readonly onReason: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      {blocked ?? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onReason(reason.trim());
          }}
        >
          <p>{effect}</p>
          <Field
            label={texts.reason}
            hint={texts.tokens.reasonHint}
            value={reason}
            onChange={setReason}
            required
          />
          <button type="submit" className="button danger" disabled={reason.trim().length < shortest}>
            {action}
          </button>
        </form>
      )}
      {children}
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}
