import { dateLanguage, dateLanguages, parseLanguage, type DateLanguage } from './date-language.ts';
import { SelectField } from '../forms/select-field.tsx';

const storageKey = 'nightshift-dates';

dateLanguage.value = parseLanguage(localStorage.getItem(storageKey));

/** Choice of the language of dates. Stored in this browser. */
export function DateChoice() {
  return (
    <SelectField
      label="Language of dates"
      values={Object.keys(dateLanguages) as DateLanguage[]}
      nameOf={(each) => dateLanguages[each]}
      value={dateLanguage.value}
      onSelect={(each) => {
        dateLanguage.value = each;
        localStorage.setItem(storageKey, each);
      }}
    />
  );
}
