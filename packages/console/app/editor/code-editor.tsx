import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';

import { editorTheme, highlighting } from './theme.ts';

const extensions = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  highlighting,
  EditorView.lineWrapping,
  // Escape, then Tab, leaves the editor.
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
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
  return <div ref={host} className="editor" tabIndex={0} role="group" aria-label={`${label}: editor`} />;
}
