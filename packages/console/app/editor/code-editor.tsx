import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, linter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';

import type { CodeKind } from './code-types.ts';
import { completionOf } from './completion.ts';
import { problemsOf } from './problems.ts';
import { editorTheme, highlighting } from './theme.ts';

const extensions = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  closeBrackets(),
  // Its icons are letters that few fonts have.
  autocompletion({ icons: false }),
  lintGutter(),
  highlighting,
  EditorView.lineWrapping,
  // Escape, then Tab, leaves the editor.
  keymap.of([
    ...completionKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    indentWithTab,
  ]),
  javascript(),
  editorTheme,
];

/**
 * An editor of JavaScript. It is in a shadow root, where it uses style sheets that are no elements: the policy of the page
 * allows no others.
 */
export function CodeEditor({
  label,
  code,
  isReadOnly,
  onChange,
}: {
  readonly label: string;
  /** At first; a change of it alone changes nothing. */
  readonly code: string;
  readonly isReadOnly: boolean;
  readonly onChange: (code: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: code,
        extensions: [
          extensions,
          isReadOnly ? [] : helpOf(kindOf(label), setProblems),
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.destroy();
    // The editor is made once: what is typed must not be lost.
  }, [label, isReadOnly]);
  return (
    <>
      <div ref={host} className="editor" tabIndex={0} role="group" aria-label={`${label}: editor`} />
      {problems.length > 0 && (
        <ul className="problems" aria-label={`${label}: problems`}>
          {problems.slice(0, mostListed).map(({ severity, line, message }) => (
            <li key={`${line} ${message}`} className={severity === 'error' ? 'bad' : undefined}>
              line {line}: {message}
            </li>
          ))}
          {problems.length > mostListed && <li className="soft">and {problems.length - mostListed} more</li>}
        </ul>
      )}
    </>
  );
}

const mostListed = 5;

interface Problem extends Pick<Diagnostic, 'severity' | 'message'> {
  readonly line: number;
}

function kindOf(label: string): CodeKind {
  if (label.includes('response')) return 'response';
  return label.includes('request') ? 'request' : 'reactor';
}

function helpOf(kind: CodeKind, tell: (problems: readonly Problem[]) => void) {
  return [
    javascriptLanguage.data.of({ autocomplete: completionOf(kind) }),
    linter(
      ({ state }) => {
        const found = problemsOf(kind, state);
        tell(found.map((one) => ({ ...one, line: state.doc.lineAt(one.from).number })));
        return found;
      },
      { delay: 300 },
    ),
  ];
}
