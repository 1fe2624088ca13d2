import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { emailStatusNames, recommendationNames } from '../results/filter.ts';
import { emailColumns } from './email-columns.tsx';
import { parseEmailFilter } from './email-filter.ts';

type Verdict = Body<'EmailVerdict'>;

/** The verdicts on addresses, with why, in plain words. */
export function Emails() {
  const query = useQuery();
  const filter = parseEmailFilter(query);
  const pages = usePages<Verdict>(`emails ${JSON.stringify(filter)}`, async (after, signal) => {
    const asked = { ...filter, limit: 50, ...(after === undefined ? {} : { after }) };
    const { emails, next } = await read(api.GET('/v1/emails', { params: { query: asked }, signal }));
    return { items: emails, next };
  });
  return (
    <Page
      title="E-mail"
      lead="What we found out about addresses, in your lists and in single checks, the newest first."
    >
      <EmailFilterForm query={query} shown={pages.items} />
      <PagedTable
        pages={pages}
        caption="Verdicts on addresses"
        empty={
          <p>
            There is no address like that. Hand in a list with a column of addresses, or check one over the
            API.
          </p>
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
          {reasonLabels(query.get('reason'), shown)} <span aria-hidden="true">×</span>
          <span class="hidden">: show others as well</span>
        </button>
      )}
      {query.get('batch') !== '' && (
        <button type="button" class="chip" onClick={() => query.set({ batch: '' })}>
          {shown[0]?.file_name ?? 'One list'} only <span aria-hidden="true">×</span>
          <span class="hidden">: show others as well</span>
        </button>
      )}
    </SearchForm>
  );
}

/** The words of a reason come with the verdicts that give it. */
function reasonLabels(code: string, shown: readonly Verdict[]): string {
  return shown.flatMap(({ reasons }) => reasons).find((reason) => reason.code === code)?.words ?? code;
}
