import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';

import { editorTheme } from './theme.ts';

const shown = (label: string) => [
  lineNumbers(),
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
  editorTheme,
];

/** Two texts side by side; what is equal is folded. */
export function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const view = new MergeView({
      root,
      parent: root,
      a: { doc: before, extensions: shown('before') },
      b: { doc: after, extensions: shown('after') },
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [before, after]);
  return <div ref={host} className="editor diff" tabIndex={0} role="group" aria-label="comparison" />;
}
