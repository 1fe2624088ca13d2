import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-query.ts';
import { WhenThere } from '../../components/loading.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Answer } from './answer.tsx';
import { Connection } from './connection.tsx';
import { QueryBox, type Asked } from './query-box.tsx';
import { Views } from './views.tsx';

/** An address that is longer than this is not carried everywhere. */
const sharedCharsMax = 2000;

/** The account's own rows in SQL: what there is to ask, a box to ask it in, and how to connect with a program. */
export function Sql() {
  const query = useQuery();
  const [text, setText] = useState(query.get('q'));
  const [shown, setShown] = useState<{ readonly asked: Asked; readonly answer: Body<'QueryAnswer'> } | null>(
    null,
  );
  const views = useLoad('views', (signal) => read(api.GET('/v1/sql/views', { signal })));
  const action = useAction(async (asked: Asked) => {
    setShown(null);
    if (asked.query.length <= sharedCharsMax) query.set({ q: asked.query }, { replace: true });
    const body = { ...asked, format: 'json' as const };
    // As JSON it is no text.
    const answer = (await read(api.POST('/v1/sql', { body }))) as Body<'QueryAnswer'>;
    setShown({ asked, answer });
  });
  return (
    <Page
      title="SQL"
      lead="Everything that was found for this account, in the SQL of Postgres. A query reads; it can change nothing."
    >
      <QueryBox text={text} onText={setText} isRunning={action.isRunning} onRun={action.run} />
      <ErrorBanner failure={action.failure} />
      {shown !== null && <Answer {...shown} />}
      <Section
        title="What there is to ask"
        lead="Views of what this account has; each unfolds into its columns."
      >
        <WhenThere loaded={views}>
          {({ views: found }) => <Views views={found} onChosen={setText} />}
        </WhenThere>
      </Section>
      <Connection />
    </Page>
  );
}
