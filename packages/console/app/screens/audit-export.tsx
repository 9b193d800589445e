import { useState } from 'react';

import { ApiError, send, sendForText } from '../api/client.ts';
import { quoted } from '../parts/copy-as.tsx';
import { Field } from '../parts/fields.tsx';
import { momentOf } from '../parts/filters.tsx';
import { CopyButton, CloseRow, Dialog } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import { type AuditKeys, type CheckedExport, verifyExport } from './verify-export.ts';

const words = texts.exports;
const keysPath = '/.well-known/glovebox-audit-keys';

type State =
  | { readonly kind: 'asked' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'checking'; readonly lines: number }
  | { readonly kind: 'checked'; readonly of: string; readonly checked: CheckedExport }
  | { readonly kind: 'failed'; readonly error: Error };

/** Exports the log of a period with its proof, and checks that proof, or that of a file of before. */
export function AuditExport({ onClose }: { readonly onClose: () => void }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { state, setState, check, failed } = useCheck();
  const exportNow = async () => {
    setState({ kind: 'reading' });
    const query = new URLSearchParams();
    if (from !== '') query.set('start_date', momentOf(from));
    if (to !== '') query.set('end_date', momentOf(to));
    const text = await sendForText(`GET /logs/export?${query.toString()}`);
    const name = `glovebox-log-${new Date().toISOString().slice(0, 10)}.ndjson`;
    keep(name, text);
    await check(name, text);
  };
  const isBusy = state.kind === 'reading' || state.kind === 'checking';
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void exportNow().catch(failed);
        }}
      >
        <p>{words.effect}</p>
        <div className="filters">
          <Field label={words.from} type="datetime-local" value={from} onChange={setFrom} />
          <Field label={words.to} type="datetime-local" value={to} onChange={setTo} />
          <button type="submit" className="button primary" disabled={isBusy}>
            {words.export}
          </button>
        </div>
        <FileOfBefore
          isBusy={isBusy}
          onChoose={(file) =>
            void file
              .text()
              .then((text) => check(file.name, text))
              .catch(failed)
          }
        />
        <Outcome state={state} />
      </form>
      <h3>{words.elsewhere}</h3>
      <Command of={state.kind === 'checked' ? state.of : 'export.ndjson'} />
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}

function FileOfBefore({
  isBusy,
  onChoose,
}: {
  readonly isBusy: boolean;
  readonly onChoose: (file: File) => void;
}) {
  return (
    <div className="field">
      <label htmlFor="export-file">{words.file}</label>
      <input
        id="export-file"
        type="file"
        accept=".ndjson"
        disabled={isBusy}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onChoose(file);
        }}
      />
    </div>
  );
}

/** Checks an export, and says how far that is. */
function useCheck() {
  const [state, setState] = useState<State>({ kind: 'asked' });
  const check = async (of: string, text: string) => {
    const keys = await send<AuditKeys>(`GET ${keysPath}`);
    const progress = (lines: number) => setState({ kind: 'checking', lines });
    progress(0);
    setState({ kind: 'checked', of, checked: await verifyExport(text, keys, progress) });
  };
  const failed = (error: unknown) =>
    setState({ kind: 'failed', error: error instanceof Error ? error : new Error(words.unreadable) });
  return { state, setState, check, failed };
}

function Outcome({ state }: { readonly state: State }) {
  if (state.kind === 'asked') return null;
  if (state.kind === 'failed') {
    const { error } = state;
    return <Failure error={error instanceof ApiError ? error : new Error(words.unreadable)} />;
  }
  if (state.kind !== 'checked') {
    return <p role="status">{state.kind === 'reading' ? words.reading : words.checking(state.lines)}</p>;
  }
  const { of, checked } = state;
  const { entries, keys, problem } = checked;
  return (
    <div className={problem === undefined ? 'note' : 'note bad'} role="status">
      <div>
        <strong>{problem === undefined ? words.intact(of, entries) : words.broken(of, problem.line)}</strong>{' '}
        {problem?.text}
        {keys.length > 0 && (
          <div className="soft">
            {words.keys} <code>{keys.join(', ')}</code>
          </div>
        )}
      </div>
    </div>
  );
}

/** For who trusts neither this page nor this installation. */
function Command({ of }: { readonly of: string }) {
  const command = `glovebox audit verify-export ${quoted(of)} --keys keys.json`;
  return (
    <>
      <p className="soft">
        {words.elsewhereHint} <code>{keysPath}</code>
      </p>
      <div className="command">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
    </>
  );
}

function keep(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
