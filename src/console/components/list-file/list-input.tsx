import { useEffect, useRef, useState } from 'preact/hooks';
import { Banner } from '../banner.tsx';
import { Field } from '../forms/field.tsx';
import { DropZone, isField } from './drop-zone.tsx';
import { createPastedRows } from './pasted-rows.ts';
import { takeTransfer, type Taken } from './take-transfer.ts';

/** Input of a list: a file that is chosen or dropped, or rows that are pasted anywhere on the page or into a field. */
export function ListInput({
  label,
  isBusy,
  onFile,
}: {
  /** Label of the button for a file. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);

  function take(taken: Taken): void {
    setProblem('problem' in taken ? taken.problem : null);
    if ('file' in taken) onFile(taken.file);
  }

  usePaste({ isBusy, onTake: take });
  return (
    <>
      <DropZone label={label} isBusy={isBusy} onTake={take} />
      {problem !== null && (
        <Banner kind="error">
          <p>{problem}</p>
        </Banner>
      )}
      <div class="paste">
        <span>
          Or copy rows in a spreadsheet, and press <kbd>Ctrl</kbd>+<kbd>V</kbd> here.
        </span>
        <button
          type="button"
          aria-expanded={text !== null}
          onClick={() => setText(text === null ? '' : null)}
        >
          Paste rows
        </button>
      </div>
      {text !== null && (
        <>
          <Field
            label="Rows"
            hint="Rows of a spreadsheet, or one website, company name or e-mail address per line."
          >
            <textarea
              class="code"
              rows={6}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </Field>
          <button
            type="button"
            disabled={isBusy || text.trim() === ''}
            onClick={() => take({ file: createPastedRows(text) })}
          >
            Use these rows
          </button>
        </>
      )}
    </>
  );
}

interface Paste {
  readonly isBusy: boolean;
  readonly onTake: (taken: Taken) => void;
}

/** Takes what is pasted anywhere on the page, except in its fields. */
function usePaste(paste: Paste): void {
  const latest = useRef(paste);
  latest.current = paste;
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      if (isField(event.target) || latest.current.isBusy) return;
      const taken = takeTransfer(event.clipboardData);
      if (taken === null) return;
      event.preventDefault();
      latest.current.onTake(taken);
    };
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  }, []);
}
