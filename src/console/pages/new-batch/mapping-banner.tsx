import { Notice } from '../../components/banner.tsx';
import { Moment } from '../../components/values.tsx';
import {
  chooseMapping,
  fields,
  guessedMapping,
  rememberedMapping,
  type Draft,
  type Mapping,
} from './draft.ts';

/** Banner on the origin of the column mapping: the last batch, or names and values. */
export function MappingNotice({ draft: { columns, mapping } }: { readonly draft: Draft }) {
  const remembered = rememberedMapping(columns);
  const guessed = guessedMapping(columns);
  if (remembered === null || columns.remembered === null) return <GuessNotice guessed={guessed} />;
  const isRemembered = isSame(mapping, remembered);
  return (
    <Notice kind="info">
      <p>
        A list with these columns was handed in before: {columns.remembered.file_name},{' '}
        <Moment at={columns.remembered.at} />. {isRemembered ? 'They are taken for the same again.' : ''}
      </p>
      {isRemembered && !isSame(guessed, remembered) && (
        <button type="button" onClick={() => chooseMapping(guessed)}>
          Go by the names and values of the columns instead
        </button>
      )}
      {!isRemembered && (
        <button type="button" onClick={() => chooseMapping(remembered)}>
          Take them for the same again
        </button>
      )}
    </Notice>
  );
}

function GuessNotice({ guessed }: { readonly guessed: Mapping }) {
  const known = fields.filter(({ name }) => guessed[name] !== '');
  return (
    <Notice kind={known.length === 0 ? 'warning' : 'info'}>
      <p>
        {known.length === 0
          ? 'No column has a name or values that leave no doubt. Say what stands where.'
          : `By their names and values: ${known.map(({ name, label }) => `${label.toLowerCase()} in “${guessed[name]}”`).join(', ')}. Change what is not right.`}
      </p>
    </Notice>
  );
}

function isSame(one: Mapping, other: Mapping): boolean {
  return fields.every(({ name }) => one[name] === other[name]);
}
