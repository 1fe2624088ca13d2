import { ErrorBanner } from '../../components/banner.tsx';
import { SheetPicker } from '../../components/list-file/sheet-picker.tsx';
import type { Draft } from './draft.ts';
import type { ReadAgain } from './use-read-again.ts';

/** Choice of the sheet of a workbook, which is read again. Empty for a file with one sheet or none. */
export function ChooseSheet({
  draft: { columns },
  again: { sheet, isRunning },
}: {
  readonly draft: Draft;
  readonly again: ReadAgain;
}) {
  return (
    <>
      <SheetPicker columns={columns} isBusy={isRunning} onSheet={sheet.run} />
      <ErrorBanner error={sheet.error} />
    </>
  );
}
