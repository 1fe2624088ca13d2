import { useAction, type Action } from '../../api/use-action.ts';
import { startDraft, type Draft, type Reading } from './draft.ts';
import { detectReading, readColumns } from './submit.ts';

/** Ways to read the file of a draft anew. */
export interface ReadAgain {
  /** Reads another sheet, with the options that suit it. */
  readonly sheet: Action<[name: string]>;
  readonly header: Action<[hasHeader: boolean]>;
  readonly options: Action<[changes: Partial<Reading>]>;
  /** True while the file is read: its draft will be replaced, so it must not go to the next step. */
  readonly isRunning: boolean;
}

/** Reads the file of a draft anew, which makes another draft. */
export function useReadAgain({ file, reading }: Draft): ReadAgain {
  const readWith = async (changes: Partial<Reading>) => {
    const other = { ...reading, ...changes };
    startDraft(file, other, await readColumns(file, other));
  };
  const sheet = useAction(async (name: string) => {
    const detected = await detectReading(file, name);
    startDraft(file, detected.reading, detected.columns);
  });
  const header = useAction((hasHeader: boolean) => readWith({ hasHeader }));
  const options = useAction(readWith);
  const isRunning = [sheet, header, options].some((action) => action.isRunning);
  return { sheet, header, options, isRunning };
}
