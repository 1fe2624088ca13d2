import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { SheetPicker } from '../../components/list-file/sheet-picker.tsx';
import { startDraft, type Draft } from './draft.ts';
import { detectReading } from './submit.ts';

/** Choice of the sheet of a workbook, which is read again. Empty for a file with one sheet or none. */
export function ChooseSheet({ draft: { file, columns } }: { readonly draft: Draft }) {
  const again = useAction(async (sheet: string) => {
    const detected = await detectReading(file, sheet);
    startDraft(file, detected.reading, detected.columns);
  });
  return (
    <>
      <SheetPicker columns={columns} isBusy={again.isRunning} onSheet={again.run} />
      <ErrorBanner error={again.error} />
    </>
  );
}
