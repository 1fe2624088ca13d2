import { Banner } from '../../components/banner.tsx';
import { Moment } from '../../components/values.tsx';
import { chooseMapping, fields, guessedMapping, savedMapping, type Draft, type Mapping } from './draft.ts';

/** Banner on the origin of the mapping: an earlier file, or names and values. */
export function MappingBanner({ draft: { columns, mapping } }: { readonly draft: Draft }) {
  const saved = savedMapping(columns);
  const guessed = guessedMapping(columns);
  if (saved === null || columns.remembered === null) return <GuessBanner guessed={guessed} />;
  const isSaved = isSame(mapping, saved);
  return (
    <Banner kind="info">
      <p>
        You uploaded a file with these columns before: {columns.remembered.file_name},{' '}
        <Moment at={columns.remembered.at} />. {isSaved ? 'The same columns are selected.' : ''}
      </p>
      {isSaved && !isSame(guessed, saved) && (
        <button type="button" onClick={() => chooseMapping(guessed)}>
          Use the detected columns
        </button>
      )}
      {!isSaved && (
        <button type="button" onClick={() => chooseMapping(saved)}>
          Use the same columns
        </button>
      )}
    </Banner>
  );
}

function GuessBanner({ guessed }: { readonly guessed: Mapping }) {
  const known = fields.filter(({ name }) => guessed[name] !== '');
  return (
    <Banner kind={known.length === 0 ? 'warning' : 'info'}>
      <p>
        {known.length === 0
          ? 'No column was recognised. Choose what each column contains.'
          : `Detected: ${known.map(({ name, label }) => `${label.toLowerCase()} in “${guessed[name]}”`).join(', ')}. Change what is wrong.`}
      </p>
    </Banner>
  );
}

function isSame(one: Mapping, other: Mapping): boolean {
  return fields.every(({ name }) => one[name] === other[name]);
}
