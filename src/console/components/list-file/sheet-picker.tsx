import type { Body } from '../../api/client.ts';
import { Field } from '../forms/field.tsx';

/** Choice of the sheet of a workbook. Empty for a file with one sheet or none. */
export function SheetPicker({
  columns: { sheet, sheets },
  isBusy,
  onSheet,
}: {
  readonly columns: Body<'ListColumns'>;
  readonly isBusy: boolean;
  readonly onSheet: (name: string) => void;
}) {
  if (sheets.length < 2) return null;
  return (
    <div class="sheets">
      <Field label="Sheet" hint={isBusy ? 'Reading the sheet …' : 'Only this sheet is read.'}>
        <select
          value={sheet ?? ''}
          disabled={isBusy}
          onChange={({ currentTarget }) => onSheet(currentTarget.value)}
        >
          {sheets.map(({ name, hidden }) => (
            <option key={name} value={name}>
              {hidden ? `${name} (hidden)` : name}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
