import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Field } from '../../components/forms/field.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';
import { fields, guessedMapping, rememberedMapping, type MappedList } from '../new-batch/draft.ts';
import { DropZone } from '../new-batch/drop-zone.tsx';
import { checkList, understand } from '../new-batch/submit.ts';
import { makeList } from './pasted-rows.ts';

/** Scans look for ads, whatever else a list has. */
const companyFieldNames = fields.filter(({ name }) => name !== 'email');

/** Asks which companies are to be scanned: a file, or what is typed in; and says what that comes to. */
export function ListChoice({
  list,
  onList,
}: {
  /** Null: none yet. */
  readonly list: MappedList | null;
  readonly onList: (list: MappedList | null) => void;
}) {
  const [typed, setTyped] = useState('');
  const taking = useAction(async (file: File) => {
    const { reading, columns } = await understand(file);
    const mapping = { ...(rememberedMapping(columns) ?? guessedMapping(columns)), email: '' };
    onList({ file, reading, columns, mapping, operations: ['ads_search'] });
  });
  return (
    <>
      {list === null ? (
        <>
          <DropZone label="Choose a file" isBusy={taking.isRunning} onFile={taking.run} />
          <Field label="Or type them in" hint="One a line: a website, such as nike.com, or a name.">
            <textarea rows={4} value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
          </Field>
          <button
            type="button"
            disabled={taking.isRunning || typed.trim() === ''}
            onClick={() => taking.run(makeList(typed))}
          >
            Take these
          </button>
        </>
      ) : (
        <Chosen list={list} onList={onList} />
      )}
      <ErrorBanner failure={taking.failure} />
    </>
  );
}

function Chosen({
  list,
  onList,
}: {
  readonly list: MappedList;
  readonly onList: (list: MappedList | null) => void;
}) {
  const { file, columns, mapping } = list;
  const isMapped = companyFieldNames.some(({ name }) => mapping[name] !== '');
  return (
    <>
      <p>
        <strong>{file.name}</strong>{' '}
        <button type="button" onClick={() => onList(null)}>
          Choose another list
        </button>
      </p>
      {!list.reading.hasHeader && (
        <Notice>
          <p>The first line looks like data, so the columns are numbered.</p>
        </Notice>
      )}
      <div class="mapping">
        {companyFieldNames.map(({ name, label }) => (
          <Field key={name} label={label}>
            <select
              value={mapping[name]}
              onChange={({ currentTarget }) =>
                onList({ ...list, mapping: { ...mapping, [name]: currentTarget.value } })
              }
            >
              <option value="">No column</option>
              {columns.columns.map((column) => (
                <option key={column.name} value={column.name}>
                  {column.name}
                </option>
              ))}
            </select>
          </Field>
        ))}
      </div>
      {isMapped ? (
        <WhatItComesTo list={list} />
      ) : (
        <p class="error" role="alert">
          Say in which column websites or names of companies stand.
        </p>
      )}
    </>
  );
}

function WhatItComesTo({ list }: { readonly list: MappedList }) {
  const loaded = useLoad(JSON.stringify([list.file.name, list.file.size, list.mapping]), () =>
    checkList(list, null),
  );
  return <WhenThere loaded={loaded}>{(check) => <p role="status">{describeCheck(check)}</p>}</WhenThere>;
}

function describeCheck({ companies, rows, sources, credits: { ceiling, expected } }: Body<'Check'>): string {
  const rejected = rows.rejected === 0 ? '' : `, ${formatCounted(rows.rejected, 'row')} rejected`;
  const likely = expected === null ? '' : `, about ${formatCredits(expected)} by what earlier lists had`;
  const counted = `${formatCounted(companies, 'company', 'companies')}${rejected}.`;
  if (sources === null)
    return `${counted} There is nowhere to look them up yet: name a source under “Ads from”, or have one set up first.`;
  return `${counted} A scan costs 0 to ${formatCredits(ceiling)} credits${likely}.`;
}
