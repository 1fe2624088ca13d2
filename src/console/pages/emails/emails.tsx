import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { emailStatusNames, recommendationNames } from '../results/filter.ts';
import { emailColumns } from './email-columns.tsx';
import { parseEmailFilter } from './email-filter.ts';

type Verdict = Body<'EmailVerdict'>;

/** Page of e-mail verdicts with their reasons. */
export function Emails() {
  const query = useQuery();
  const filter = parseEmailFilter(query);
  const pages = usePages<Verdict>(`emails ${JSON.stringify(filter)}`, async (after, signal, isLarge) => {
    const params = { ...filter, limit: isLarge ? 500 : 50, ...(after === undefined ? {} : { after }) };
    const { emails, next } = await read(api.GET('/v1/emails', { params: { query: params }, signal }));
    return { items: emails, next };
  });
  return (
    <Page title="E-mail" lead="Verdicts on e-mail addresses in batches and single checks, newest first.">
      <EmailFilterForm query={query} shown={pages.items} />
      <PagedTable
        pages={pages}
        caption="Verdicts on addresses"
        view="emails"
        count={{ noun: ['verdict', 'verdicts'] }}
        empty={
          <p>No addresses match. Upload a file with e-mail addresses, or validate one through the API.</p>
        }
        columns={emailColumns(query)}
        keyOf={({ email, checked_at: at, batch }) => `${email} ${at} ${batch}`}
      />
    </Page>
  );
}

function EmailFilterForm({ query, shown }: { readonly query: Query; readonly shown: readonly Verdict[] }) {
  const choices = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, name]) => ({ value, name }));
  return (
    <SearchForm query={query} label="Verdicts" placeholder="Part of an address">
      <ChoiceField
        label="Verdict"
        all="All"
        value={query.get('status')}
        choices={choices(emailStatusNames)}
        onChoose={(status) => query.set({ status })}
      />
      <ChoiceField
        label="Recommendation"
        all="All"
        value={query.get('recommendation')}
        choices={choices(recommendationNames)}
        onChoose={(recommendation) => query.set({ recommendation })}
      />
      {query.get('reason') !== '' && (
        <button type="button" class="chip" onClick={() => query.set({ reason: '' })}>
          {reasonLabel(query.get('reason'), shown)} <span aria-hidden="true">×</span>
          <span class="hidden">: remove filter</span>
        </button>
      )}
      {query.get('batch') !== '' && (
        <button type="button" class="chip" onClick={() => query.set({ batch: '' })}>
          {shown[0]?.file_name ?? 'One batch'} <span aria-hidden="true">×</span>
          <span class="hidden">: remove filter</span>
        </button>
      )}
    </SearchForm>
  );
}

/** Finds the label of a reason among the verdicts; else its code. */
function reasonLabel(code: string, shown: readonly Verdict[]): string {
  return shown.flatMap(({ reasons }) => reasons).find((reason) => reason.code === code)?.words ?? code;
}
