import { Banner } from '../../components/banner.tsx';
import { columnKindLabels } from '../../../producer/columns/column-kind-labels.ts';
import { chooseMapping, fields, openProposals, type Draft } from './draft.ts';

const proposalsMax = 3;

/** Proposes columns for fields without one, each with a button to use it. */
export function ColumnProposals({ draft }: { readonly draft: Draft }) {
  const { columns, mapping } = draft;
  return openProposals(columns, mapping)
    .slice(0, proposalsMax)
    .map(({ field, column }) => {
      const found = columns.columns.find(({ name }) => name === column);
      const label = fields.find(({ name }) => name === field)?.label.toLowerCase() ?? field;
      return (
        <Banner key={`${field} ${column}`} kind="warning">
          <p>
            “{column}” is not used. It looks like {columnKindLabels[found?.looks_like ?? 'mixed']}
            {found === undefined || found.examples.length === 0
              ? ''
              : ` (${found.examples.slice(0, 2).join(', ')})`}
            .
          </p>
          <button type="button" onClick={() => chooseMapping({ ...mapping, [field]: column })}>
            Use as {label}
          </button>
        </Banner>
      );
    });
}
